// Blocks and their edges. Post-dominators are the dominators of the reversed graph.
#include "kernels/ptx/control_flow.h"

#include <span>

#include "kernels/ptx/dominators.h"

namespace flagstone::ptx {
namespace {

static_assert(kNoBlock == kNoDominator);

bool LeavesKernel(Opcode opcode) {
  return opcode == Opcode::kRet || opcode == Opcode::kExit || opcode == Opcode::kTrap;
}

void AddEdge(BlockId from, BlockId to, Edges* next, Edges* previous) {
  (*next)[from].push_back(to);
  (*previous)[to].push_back(from);
}

// Marks what leads to `node`, going against `next`.
void MarkLeadingTo(BlockId node, const Edges& previous, std::vector<uint8_t>* marked) {
  std::vector<BlockId> stack = {node};
  (*marked)[node] = 1;
  while (!stack.empty()) {
    const BlockId at = stack.back();
    stack.pop_back();
    for (const BlockId from : previous[at]) {
      if ((*marked)[from] != 0) continue;
      (*marked)[from] = 1;
      stack.push_back(from);
    }
  }
}

std::vector<BasicBlock> SplitIntoBlocks(std::span<const Instruction> code,
                                        std::vector<BlockId>* block_of) {
  const auto count = static_cast<uint32_t>(code.size());
  std::vector<uint8_t> leader(count + 1, 0);
  for (uint32_t pc = 0; pc < count; ++pc) {
    const bool branch = code[pc].opcode == Opcode::kBra;
    if (branch) leader[code[pc].operands[0].target] = 1;
    if (branch || LeavesKernel(code[pc].opcode)) leader[pc + 1] = 1;
  }
  std::vector<BasicBlock> blocks;
  block_of->resize(count);
  for (uint32_t pc = 0; pc < count; ++pc) {
    if (pc == 0 || leader[pc] != 0) blocks.push_back({.begin = pc});
    blocks.back().end = pc + 1;
    (*block_of)[pc] = static_cast<BlockId>(blocks.size() - 1);
  }
  return blocks;
}

}  // namespace

ControlFlow::ControlFlow(const Kernel& kernel)
    : instruction_count_(static_cast<uint32_t>(kernel.instructions.size())) {
  const std::vector<Instruction>& code = kernel.instructions;
  blocks_ = SplitIntoBlocks(code, &block_of_);
  const auto count = static_cast<BlockId>(blocks_.size());
  if (count == 0) return;

  // One node more than blocks: the kernel's end.
  const BlockId end = count;
  Edges next(count + 1);
  Edges previous(count + 1);
  for (BlockId block = 0; block < count; ++block) {
    const Instruction& last = code[blocks_[block].end - 1];
    const bool branch = last.opcode == Opcode::kBra;
    const bool leaves = LeavesKernel(last.opcode);
    if (last.guard.has_value() || !(branch || leaves)) AddEdge(block, block + 1, &next, &previous);
    const uint32_t target = branch ? last.operands[0].target : instruction_count_;
    const BlockId to = target < instruction_count_ ? block_of_[target] : end;
    const bool new_edge = next[block].empty() || next[block][0] != to;
    if ((branch || leaves) && new_edge) AddEdge(block, to, &next, &previous);
  }
  for (BlockId block = 0; block < count; ++block) {
    for (const BlockId to : next[block]) {
      if (to != end) blocks_[block].successors.push_back(to);
    }
    blocks_[block].predecessors = previous[block];
  }
  dominator_ = ImmediateDominators(0, next, previous);
  dominator_.resize(count);
  NumberDominated();

  // A loop without a way out never reaches the end; its last block is given an edge to it, so that
  // every block has post-dominators.
  std::vector<uint8_t> leads_to_end(count + 1, 0);
  MarkLeadingTo(end, previous, &leads_to_end);
  for (BlockId block = count; block-- > 0;) {
    if (leads_to_end[block] != 0) continue;
    AddEdge(block, end, &next, &previous);
    MarkLeadingTo(block, previous, &leads_to_end);
  }
  post_dominator_ = ImmediateDominators(end, previous, next);
  post_dominator_.resize(count);
  for (BlockId& block : post_dominator_) {
    if (block == end) block = kNoBlock;
  }
}

// Numbers the dominator tree so that a block has the numbers from its own on to the last of what it
// dominates: kernels have ten thousands of blocks under each other.
void ControlFlow::NumberDominated() {
  const auto count = static_cast<BlockId>(blocks_.size());
  std::vector<std::vector<BlockId>> dominated(count);
  for (BlockId block = 1; block < count; ++block) {
    if (dominator_[block] != kNoBlock) dominated[dominator_[block]].push_back(block);
  }
  first_number_.assign(count, 0);
  last_number_.assign(count, 0);  // as the first: where the start does not lead to the block
  std::vector<BlockId> path = {0};
  uint32_t number = 1;
  first_number_[0] = number;
  while (!path.empty()) {
    const BlockId block = path.back();
    if (dominated[block].empty()) {
      last_number_[block] = number;
      path.pop_back();
      continue;
    }
    path.push_back(dominated[block].back());
    dominated[block].pop_back();
    first_number_[path.back()] = ++number;
  }
}

bool ControlFlow::Dominates(BlockId a, BlockId b) const {
  if (a == b) return true;
  return first_number_[a] < first_number_[b] && first_number_[b] <= last_number_[a];
}

uint32_t ControlFlow::ReconvergencePc(uint32_t pc) const {
  const BlockId block = post_dominator_[block_of_[pc]];
  return block == kNoBlock ? instruction_count_ : blocks_[block].begin;
}

}  // namespace flagstone::ptx
