// One instruction: guard, opcode, dotted words, operands.
#ifndef FLAGSTONE_KERNELS_PTX_INSTRUCTION_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_INSTRUCTION_PARSER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/function.h"
#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/operand_parser.h"
#include "kernels/ptx/parse_context.h"
#include "kernels/ptx/wgmma_form.h"
#include "kernels/ptx/wmma.h"

namespace flagstone::ptx {

class InstructionParser {
 public:
  InstructionParser(ParseContext* context, Kernel* kernel)
      : lexer_(context->lexer), context_(*context), kernel_(*kernel), operand_parser_(context) {}

  // Of a branch, the label as written; its operand is of kind kLabel with no target yet. Of
  // brx.idx, the name of its list.
  struct Parsed {
    Instruction instruction;
    Token label;
    std::optional<CallSite> call;
    std::vector<Instruction> lowered;  // where there are any, they stand in its place
  };
  // `begin` is the first token, '@' or the opcode; it has been taken. Takes the semicolon too.
  // An instruction of the PTX ISA that cannot be read is a refusal of the kernel alone.
  Parsed Parse(const Token& begin);

  // "name: .callprototype (.param .b32 _) _ (.param .b64 _);" after the directive, and
  // "name: .calltargets f, g;". Which functions a call through a register may lead to, their own
  // shapes say.
  void SkipCallPrototype(const Token& name);
  void SkipCallTargets(const Token& name);

 private:
  void ParseForm(const Token& begin, Parsed* parsed);
  const InstructionRule* FindRule(const Token& opcode);
  std::string_view FeatureOfOperands(const InstructionRule& rule,
                                     const Instruction& instruction) const;
  void LowerVectorMove(Parsed* parsed);
  static void CutSpecialRegister(Instruction* move);
  // Goes on behind the semicolon of a statement that cannot be read; false where there is none.
  bool SkipToSemicolon(const Token& begin);
  void ParseCall(const Token& begin, Parsed* parsed);
  // "(a, b)"
  void ParseCallList(bool results, CallSite* call);
  void ParseTargetsOfCall();
  void ParseIndexedBranch(Parsed* parsed);
  void ParseWmma(const Token& begin, Parsed* parsed);
  void ParseWgmma(const Token& begin, Instruction* instruction);
  void CheckWgmma(const WgmmaForm& form, std::string_view name);
  void ParseTcgen05(const Token& begin, const Token& opcode, Instruction* instruction);
  void CheckTcgen05(const TensorMemoryForm& form, std::string_view name, Location at);
  std::string WrongTcgen05(const TensorMemoryForm& form, char letter,
                           const ParsedOperand& parsed) const;
  void CheckWmma(const WmmaForm& form, const Instruction& instruction) const;
  // Reads an instruction over that Flagstone knows by name only; `feature` is what it needs, or "".
  void SkipForeign(const Token& begin, std::string_view feature, Instruction* instruction);
  void CheckParameterStore(const Parsed& parsed) const;
  // Notes why the kernel cannot run, and keeps the instruction's text and results alone.
  void Refuse(Instruction* instruction, std::string reason);
  void ParseGuard(Instruction* instruction);
  // Takes the dotted words after the opcode; returns the whole name, "ld.global.f32", or nothing
  // where a word makes it an instruction that is read and refused: then `feature` is what it needs.
  void PutCarry(Instruction* instruction);
  std::string_view ParseName(const Token& opcode, const InstructionRule& rule,
                             Instruction* instruction, std::string_view* feature);
  [[noreturn]] void FailUnknown(const Token& begin, const Token& opcode);

  Lexer& lexer_;
  ParseContext& context_;
  Kernel& kernel_;
  OperandParser operand_parser_;
  std::vector<ParsedOperand> operands_;  // of the instruction at hand; kept to save allocations
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_INSTRUCTION_PARSER_H_
