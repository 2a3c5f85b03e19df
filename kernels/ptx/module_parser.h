// The module: version, target, variables, entries and functions; debug sections read over.
#ifndef FLAGSTONE_KERNELS_PTX_MODULE_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_MODULE_PARSER_H_

#include <string>
#include <string_view>

#include "kernels/ptx/kernel.h"
#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::string& file, Module* module)
      : context_(text, file, module), lexer_(context_.lexer), module_(*module) {}

  void Parse();

 private:
  void ParseVersion();
  void ParseTarget();
  void ParseAddressSize();
  void ParseStatement();
  void ParseVariables(Space space, bool is_extern);
  void ParseKernel();
  void FinishKernels();

  ParseContext context_;
  Lexer& lexer_;
  Module& module_;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MODULE_PARSER_H_
