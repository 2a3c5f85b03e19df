// Where a block's last instruction leads to. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_BRANCH_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_BRANCH_H_

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

// Whether the instruction, where its guard holds, is the thread's last.
inline bool EndsThread(const ptx::Kernel& kernel, const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case ptx::Opcode::kRet:
    case ptx::Opcode::kExit:
    case ptx::Opcode::kTrap:
      return true;
    case ptx::Opcode::kBra:
      return instruction.operands[0].target >= kernel.instructions.size();
    default:
      return false;
  }
}

// The block after `block`, whose last instruction is `last`, with that one's guard holding or not;
// kNoBlock at the thread's end.
inline ptx::BlockId BranchTarget(const ptx::Kernel& kernel, const ptx::BasicBlock& block,
                                 const ptx::Instruction& last, bool holds) {
  const bool ends = EndsThread(kernel, last);
  if ((ends && holds) || block.successors.empty()) return ptx::kNoBlock;
  if (last.opcode != ptx::Opcode::kBra && !ends) return block.successors.front();
  return holds ? block.successors.back() : block.successors.front();
}

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_BRANCH_H_
