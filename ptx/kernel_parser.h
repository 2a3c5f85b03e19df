// One .entry: parameters, performance directives and the body with its scopes and labels.
#ifndef FLAGSTONE_PTX_KERNEL_PARSER_H_
#define FLAGSTONE_PTX_KERNEL_PARSER_H_

#include <memory>
#include <string_view>
#include <vector>

#include "ptx/instruction_parser.h"
#include "ptx/kernel.h"
#include "ptx/parse_context.h"
#include "ptx/variable_parser.h"

namespace flagstone::ptx {

class KernelParser {
 public:
  KernelParser(ParseContext* context, Kernel* kernel);
  // After ".entry".
  void Parse();

 private:
  void ParseParameters();
  void ParsePerformanceDirectives();
  void ParseBody();
  void ParseStatement();
  void ParseDirective();
  void ParseRegisters();
  void OpenScope();
  void CloseScope();
  void DefineLabel(const Token& name);
  void AddInstruction(const Token& begin);
  // The kernel may not run past its last instruction.
  void EndWithReturn(Location at);

  struct LabelUse {
    uint32_t instruction;
    Token label;
  };

  ParseContext& context_;
  Lexer& lexer_;
  Kernel& kernel_;
  VariableParser variables_;
  InstructionParser instructions_;
  std::vector<std::vector<LabelUse>> open_uses_;  // per scope: labels may be used before they stand
};

// Reads a .loc, .file or .pragma over. False if `directive`, taken already, is none of them.
bool SkipRemark(Lexer* lexer, const Token& directive);
// Reads "{ ... }" over, nested ones too.
void SkipBraces(Lexer* lexer, std::string_view of_what);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_KERNEL_PARSER_H_
