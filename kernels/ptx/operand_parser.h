// Operands by their own syntax, before the instruction says what they must be.
#ifndef FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_

#include <string_view>
#include <vector>

#include "kernels/ptx/kernel.h"
#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {

struct ParsedOperand {
  Operand operand;
  Location location;
  bool decimal_float = false;  // an immediate such as 1.5, whose width the instruction sets
  bool pair = false;           // "|" follows: the next operand belongs to this one
  std::string refusal;         // why its kernel cannot run
};

class OperandParser {
 public:
  explicit OperandParser(ParseContext* context) : context_(*context), lexer_(context->lexer) {}

  // Appends one operand, or two for "%p|%q".
  void Parse(std::vector<ParsedOperand>* operands);

 private:
  ParsedOperand ParseOne(bool in_vector);
  void ParseName(ParsedOperand* parsed);
  void ParseComponent(const Symbol& symbol, Operand* operand);
  void ParseImmediate(ParsedOperand* parsed);
  void ParseMemory(ParsedOperand* parsed);
  void ParseCoordinates(Operand* operand);
  void ParseVector(ParsedOperand* parsed);
  int64_t ParseOffset();  // "+4", "+-4", "-4", any number of them; 0 for none

  ParseContext& context_;
  Lexer& lexer_;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_
