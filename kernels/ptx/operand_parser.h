// Operands by their own syntax, before the instruction says what they must be.
#ifndef FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_

#include <string_view>
#include <vector>

#include "kernels/ptx/constant_expression.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {

struct ParsedOperand {
  Operand operand;
  Location location;
  bool decimal_float = false;  // an immediate such as 1.5, whose width the instruction sets
  bool pair = false;           // "|" follows: the next operand belongs to this one
  bool subscript = false;      // "a[3]": memory, where an instruction wants it
  std::string refusal;         // why its kernel cannot run
};

class OperandParser {
 public:
  explicit OperandParser(ParseContext* context) : context_(*context), lexer_(context->lexer) {}

  // Appends one operand, or two for "%p|%q" and "[texture, sampler, {%f1}]".
  void Parse(std::vector<ParsedOperand>* operands);
  // How long a vector may be.
  void AllowElements(size_t most) { most_elements_ = most; }

  static constexpr size_t kMostElements = 8;  // the matrices of wmma have so many

 private:
  ParsedOperand ParseOne(bool in_vector);
  void ParseName(ParsedOperand* parsed);
  void ParseComponent(const Symbol& symbol, Operand* operand);
  void ParseSpecialVector(const Token& name, Operand* operand);
  void ParseSubscript(ParsedOperand* parsed);
  static void SetImmediate(const Constant& value, ParsedOperand* parsed);
  void ParseMemory(ParsedOperand* parsed);
  void ParseCoordinates(Operand* operand);
  void ParseVector(ParsedOperand* parsed);

  ParseContext& context_;
  Lexer& lexer_;
  size_t most_elements_ = kMostElements;
  bool has_sampler_ = false;  // of the operand at hand
  ParsedOperand sampler_;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_OPERAND_PARSER_H_
