// Operands by their own syntax, before the instruction says what they must be.
#ifndef FLAGSTONE_PTX_OPERAND_PARSER_H_
#define FLAGSTONE_PTX_OPERAND_PARSER_H_

#include <unordered_map>
#include <vector>

#include "ptx/kernel.h"
#include "ptx/parse_context.h"

namespace flagstone::ptx {

struct ParsedOperand {
  Operand operand;
  Location location;
  bool decimal_float = false;  // an immediate such as 1.5, whose width the instruction sets
  bool pair = false;           // "|" follows: the next operand belongs to this one
};

class OperandParser {
 public:
  OperandParser(ParseContext* context, Kernel* kernel)
      : context_(*context), lexer_(context->lexer), kernel_(*kernel) {}

  // Appends one operand, or two for "%p|%q".
  void Parse(std::vector<ParsedOperand>* operands);

 private:
  ParsedOperand ParseOne(bool in_vector);
  void ParseName(ParsedOperand* parsed);
  void ParseImmediate(ParsedOperand* parsed);
  void ParseMemory(ParsedOperand* parsed);
  void ParseVector(ParsedOperand* parsed);
  int64_t ParseOffset();  // "+4", "+-4", "-4", any number of them; 0 for none
  // The kernel's own copy of a .shared or .local variable of the module, made at its first use.
  const Variable* OfKernel(const Symbol& symbol);

  ParseContext& context_;
  Lexer& lexer_;
  Kernel& kernel_;
  std::unordered_map<uint32_t, const Variable*> copies_;  // by Symbol::block_variable
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_OPERAND_PARSER_H_
