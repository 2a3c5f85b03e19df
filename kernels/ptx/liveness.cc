#include "kernels/ptx/liveness.h"

#include <algorithm>

namespace flagstone::ptx {

Liveness::Liveness(const Kernel& kernel, const ControlFlow& flow)
    : flow_(flow),
      words_((kernel.registers.size() + 63) / 64),
      in_(flow.blocks().size() * words_, 0) {
  // At first, of each block alone: what it reads before it writes it, and what it surely writes.
  std::vector<uint64_t> killed(in_.size(), 0);
  for (BlockId block = 0; block < flow.blocks().size(); ++block) {
    uint64_t* const in = in_.data() + block * words_;
    uint64_t* const kill = killed.data() + block * words_;
    for (uint32_t pc = flow.blocks()[block].begin; pc < flow.blocks()[block].end; ++pc) {
      const Instruction& instruction = kernel.instructions[pc];
      ForEachRead(instruction, [&](RegisterId reg) {
        in[reg / 64] |= uint64_t{1} << (reg % 64) & ~kill[reg / 64];
      });
      if (instruction.guard.has_value()) continue;
      ForEachWritten(instruction,
                     [&](RegisterId reg) { kill[reg / 64] |= uint64_t{1} << (reg % 64); });
    }
  }
  Solve(killed);
}

void Liveness::AtEnd(BlockId block, std::vector<uint64_t>* live) const {
  live->assign(words_, 0);
  for (const BlockId successor : flow_.blocks()[block].successors) {
    for (size_t word = 0; word < words_; ++word) (*live)[word] |= in_[successor * words_ + word];
  }
}

void Liveness::Solve(const std::vector<uint64_t>& killed) {
  std::vector<BlockId> work;
  std::vector<bool> queued(flow_.blocks().size(), true);
  for (BlockId block = 0; block < queued.size(); ++block) work.push_back(block);
  std::vector<uint64_t> end;
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    queued[block] = false;
    AtEnd(block, &end);
    bool changed = false;
    for (size_t word = 0; word < words_; ++word) {
      uint64_t& in = in_[block * words_ + word];
      const uint64_t more = end[word] & ~killed[block * words_ + word];
      changed |= (more & ~in) != 0;
      in |= more;
    }
    if (!changed) continue;
    for (const BlockId predecessor : flow_.blocks()[block].predecessors) {
      if (!queued[predecessor]) work.push_back(predecessor);
      queued[predecessor] = true;
    }
  }
}

}  // namespace flagstone::ptx
