// Which instructions the conformance tests have held against an oracle, and which there are: every
// combination of opcode, types and meaningful modifiers that the parser takes and the executor
// runs.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_COVERAGE_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_COVERAGE_H_

#include <set>
#include <string>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::conformance {

// An instruction's name without what changes no value: state spaces, caches, orders, scopes, hints
// and vector lengths; words in a fixed order, as in "setp.lt.ftz.f32".
std::string FormOf(const ptx::Instruction& instruction);

// Notes that a test holds this instruction against an oracle.
void Cover(const ptx::Instruction& instruction);
// The same for those of the kernel with one of these opcodes.
void CoverOpcodes(const ptx::Kernel& kernel, const std::vector<ptx::Opcode>& opcodes);
const std::set<std::string>& Covered();

// A form that the parser takes, as PTX text with operands.
struct Form {
  std::string name;              // as FormOf gives it
  std::string head;              // without operands, in .global where it takes a state space
  std::string text;              // the whole instruction, on registers of KernelText
  ptx::Instruction instruction;  // without operands
};
const std::vector<Form>& InstructionForms();

// Those of some opcodes.
std::vector<Form> FormsOf(const std::vector<ptx::Opcode>& opcodes);

// Why the executor refuses a kernel with this instruction; empty where it runs it.
std::string Refusal(const Form& form);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_COVERAGE_H_
