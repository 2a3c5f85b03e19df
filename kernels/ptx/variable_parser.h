// Declarations of variables and parameters, with their initialisers.
#ifndef FLAGSTONE_KERNELS_PTX_VARIABLE_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_VARIABLE_PARSER_H_

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/ptx/kernel.h"
#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {

class VariableParser {
 public:
  explicit VariableParser(ParseContext* context) : context_(*context), lexer_(context->lexer) {}

  // After the state space: ".align 4 .f32 a[16] = {...}, b;" with its semicolon. Each name is
  // defined in the innermost scope.
  std::vector<std::unique_ptr<Variable>> ParseDeclaration(Space space, bool is_extern);
  // After ".param": ".u64 .ptr .global .align 4 name". Takes no comma or semicolon.
  std::unique_ptr<Variable> ParseParameter();

 private:
  struct Attributes {
    Type type = Type::kNone;
    uint32_t alignment = 0;  // 0: that of the type
    uint32_t vector = 1;
  };
  Attributes ParseAttributes(bool parameter);
  uint32_t ParseAlignment();
  static std::unique_ptr<Variable> MakeVariable(const Token& name, const Attributes& attributes,
                                                Space space, bool is_extern);
  std::unique_ptr<Variable> ParseDeclarator(const Token& name, const Attributes& attributes,
                                            Space space, bool is_extern);
  void ParseNumbered(const Token& prefix, const Attributes& attributes, Space space, bool is_extern,
                     std::vector<std::unique_ptr<Variable>>* variables);
  Variable* FindEarlier(const Variable& variable);
  void ParseSampler(Variable* variable);
  void ParseValue(std::vector<uint64_t> dimensions, uint32_t vector, Variable* variable);
  // Elements of each dimension; 0 for the first where it is "[]".
  std::vector<uint64_t> ParseDimensions();
  void SetCount(const std::vector<uint64_t>& dimensions, uint32_t vector, Variable* variable);

  // Initialisers. `at` is the index of the next element to write.
  uint64_t ParseInitializer(const std::vector<uint64_t>& dimensions, uint32_t vector,
                            Variable* variable);
  uint64_t ParseBraces(const std::vector<uint64_t>& lengths, size_t level, uint64_t at,
                       Variable* variable);
  void ParseElement(uint64_t at, Variable* variable);
  void ParseAddress(uint64_t at, Variable* variable);
  void ParseMaskedAddress(uint64_t mask, const Token& token, uint64_t at, Variable* variable);
  Variable::AddressOf ParseAddressTerm();
  void GrowInitial(uint64_t bytes, Variable* variable);

  ParseContext& context_;
  Lexer& lexer_;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_VARIABLE_PARSER_H_
