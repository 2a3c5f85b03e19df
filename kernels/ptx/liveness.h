// Which registers hold a value that is still needed, where each basic block of a kernel begins.
#ifndef FLAGSTONE_KERNELS_PTX_LIVENESS_H_
#define FLAGSTONE_KERNELS_PTX_LIVENESS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// Calls `visit(register)` for each register that the operand names, a base address's included.
template <class Visit>
void ForEachRegister(const Operand& operand, const Visit& visit) {
  if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) visit(operand.reg);
  for (const Operand& element : operand.elements) ForEachRegister(element, visit);
}

// Of those that the instruction writes, and of those that it reads.
template <class Visit>
void ForEachWritten(const Instruction& instruction, const Visit& visit) {
  for (size_t i = 0; i < instruction.destinations; ++i) {
    ForEachRegister(instruction.operands[i], visit);
  }
}
template <class Visit>
void ForEachRead(const Instruction& instruction, const Visit& visit) {
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (i < instruction.destinations && operand.kind != Operand::Kind::kMemory) continue;
    ForEachRegister(operand, visit);
  }
  if (instruction.guard.has_value()) visit(*instruction.guard);
}

// Backward liveness by a worklist over the blocks: only the sets at their starts are kept. A
// guarded write keeps the old value in some lanes, and so ends no life.
class Liveness {
 public:
  // Both must outlive it.
  Liveness(const Kernel& kernel, const ControlFlow& flow);

  // A bit per register.
  std::span<const uint64_t> AtStart(BlockId block) const { return {&in_[block * words_], words_}; }
  // What a successor of the block needs.
  void AtEnd(BlockId block, std::vector<uint64_t>* live) const;
  size_t words() const { return words_; }

 private:
  void Solve(const std::vector<uint64_t>& killed);

  const ControlFlow& flow_;
  size_t words_;              // of 64 registers
  std::vector<uint64_t> in_;  // `words_` per block
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_LIVENESS_H_
