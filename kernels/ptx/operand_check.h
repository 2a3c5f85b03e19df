// Fits parsed operands to what the instruction takes: counts, classes, widths, literals.
#ifndef FLAGSTONE_KERNELS_PTX_OPERAND_CHECK_H_
#define FLAGSTONE_KERNELS_PTX_OPERAND_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/lexer.h"
#include "kernels/ptx/operand_parser.h"

namespace flagstone::ptx {

class OperandCheck {
 public:
  // `name` is the instruction with its dotted words, for messages: "add.s32".
  OperandCheck(const Lexer& lexer, const Kernel& kernel, const InstructionRule& rule,
               std::string_view name, Instruction* instruction)
      : lexer_(lexer), kernel_(kernel), rule_(rule), name_(name), instruction_(*instruction) {}

  // Moves the operands into the instruction and counts its destinations, or throws. `at` is where
  // the instruction begins.
  void Apply(std::vector<ParsedOperand>* operands, Location at);

 private:
  void CheckCount(size_t found, bool pair, Location at) const;
  void CheckOne(char letter, ParsedOperand* parsed);
  void CheckDestination(const ParsedOperand& parsed, Type type, bool wider) const;
  void CheckSource(ParsedOperand* parsed, Type type, bool wider) const;
  void CheckElement(const ParsedOperand& whole, Operand* element, Type type, bool source,
                    bool wider) const;
  void CheckTruthTable(const ParsedOperand& parsed) const;
  void CheckFraction(ParsedOperand* parsed) const;
  void FitImmediate(const ParsedOperand& parsed, Operand* immediate, Type type) const;

  // Addresses (operand_check_addresses.cc).
  void CheckAddress(const ParsedOperand& parsed) const;
  void CheckAddressIn(const ParsedOperand& parsed, Space space) const;
  void CheckSharedAddress(const ParsedOperand& parsed) const;
  void CheckGenericAddress(ParsedOperand* parsed) const;
  void CheckAnyAddress(const ParsedOperand& parsed) const;
  void CheckTexture(ParsedOperand* parsed) const;
  void CheckTextureName(ParsedOperand* parsed) const;
  void CheckSampler(const ParsedOperand& parsed) const;
  void CheckTensorMap(ParsedOperand* parsed) const;
  void CheckImageOffsets(ParsedOperand* parsed) const;

  // Operands of several registers (operand_check_vectors.cc).
  void CheckVectorOfMemory(ParsedOperand* parsed, bool source) const;
  void CheckMove(ParsedOperand* parsed, bool source) const;
  void CheckPair(ParsedOperand* parsed) const;
  void CheckFour(ParsedOperand* parsed) const;
  void CheckMatrix(ParsedOperand* parsed, char letter) const;

  Type TypeOf(const Operand& operand) const { return kernel_.registers[operand.reg].type; }
  std::string Show(const Operand& operand) const;  // "'%r1' of type b32"
  [[noreturn]] void FailExpected(const ParsedOperand& parsed, std::string_view what) const;

  const Lexer& lexer_;
  const Kernel& kernel_;
  const InstructionRule& rule_;
  std::string_view name_;
  Instruction& instruction_;
  std::string letters_;  // of this form of the instruction
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_OPERAND_CHECK_H_
