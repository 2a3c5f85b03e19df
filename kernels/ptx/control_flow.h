// Basic blocks, dominance and immediate post-dominators of a kernel.
#ifndef FLAGSTONE_KERNELS_PTX_CONTROL_FLOW_H_
#define FLAGSTONE_KERNELS_PTX_CONTROL_FLOW_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

using BlockId = uint32_t;
inline constexpr uint32_t kNoBlock = ~uint32_t{0};

struct BasicBlock {
  uint32_t begin = 0;                 // first instruction
  uint32_t end = 0;                   // one past the last
  std::vector<BlockId> successors;    // fall-through first, then the branch target
  std::vector<BlockId> predecessors;  // ascending
};

class ControlFlow {
 public:
  explicit ControlFlow(const Kernel& kernel);

  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  BlockId BlockOf(uint32_t pc) const { return block_of_[pc]; }
  // kNoBlock for the entry block (dominator) or where only the kernel's end follows.
  BlockId ImmediateDominator(BlockId block) const { return dominator_[block]; }
  BlockId ImmediatePostDominator(BlockId block) const { return post_dominator_[block]; }
  bool Dominates(BlockId a, BlockId b) const;

  // Where the lanes that a conditional branch at `pc` splits meet again: the first instruction of
  // the branch block's immediate post-dominator; instructions.size() when that is the kernel's end.
  uint32_t ReconvergencePc(uint32_t pc) const;

 private:
  void NumberDominated();

  std::vector<BasicBlock> blocks_;
  std::vector<BlockId> block_of_;
  std::vector<BlockId> dominator_;
  std::vector<uint32_t> first_number_;  // by block, in the dominator tree
  std::vector<uint32_t> last_number_;
  std::vector<BlockId> post_dominator_;
  uint32_t instruction_count_ = 0;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_CONTROL_FLOW_H_
