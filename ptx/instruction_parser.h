// One instruction: guard, opcode, dotted words, operands.
#ifndef FLAGSTONE_PTX_INSTRUCTION_PARSER_H_
#define FLAGSTONE_PTX_INSTRUCTION_PARSER_H_

#include <string_view>
#include <vector>

#include "ptx/instruction_table.h"
#include "ptx/kernel.h"
#include "ptx/operand_parser.h"
#include "ptx/parse_context.h"

namespace flagstone::ptx {

class InstructionParser {
 public:
  InstructionParser(ParseContext* context, Kernel* kernel)
      : lexer_(context->lexer),
        context_(*context),
        kernel_(*kernel),
        operand_parser_(context, kernel) {}

  // Of a branch, the label as written; its operand is of kind kLabel with no target yet.
  struct Parsed {
    Instruction instruction;
    Token label;
  };
  // `begin` is the first token, '@' or the opcode; it has been taken. Takes the semicolon too.
  Parsed Parse(const Token& begin);

 private:
  void ParseGuard(Instruction* instruction);
  // Takes the dotted words after the opcode; returns the whole name, "ld.global.f32".
  std::string_view ParseName(const Token& begin, const Token& opcode, const InstructionRule& rule,
                             Instruction* instruction);
  [[noreturn]] void FailUnknown(const Token& begin, const Token& opcode) const;
  template <class... Args>
  [[noreturn]] void FailUnsupported(const Token& begin, Location at,
                                    fmt::format_string<Args...> format, Args&&... args) const;

  Lexer& lexer_;
  ParseContext& context_;
  Kernel& kernel_;
  OperandParser operand_parser_;
  std::vector<ParsedOperand> operands_;  // of the instruction at hand; kept to save allocations
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_PTX_INSTRUCTION_PARSER_H_
