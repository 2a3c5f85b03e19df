#include "analyzer/address/loop_forest.h"

#include <algorithm>
#include <utility>

namespace flagstone {
namespace {

std::vector<ptx::BlockId> ReversePostOrder(const ptx::ControlFlow& flow) {
  std::vector<ptx::BlockId> order;
  if (flow.blocks().empty()) return order;
  std::vector<bool> seen(flow.blocks().size(), false);
  std::vector<std::pair<ptx::BlockId, size_t>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const std::vector<ptx::BlockId>& successors = flow.blocks()[block].successors;
    if (next == successors.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const ptx::BlockId successor = successors[next++];
    if (!seen[successor]) {
      seen[successor] = true;
      stack.push_back({successor, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Adds to `loop` all blocks that reach the latch without passing the header.
void AddBody(const ptx::ControlFlow& flow, const std::vector<bool>& reachable, ptx::BlockId latch,
             NaturalLoop& loop) {
  std::vector<ptx::BlockId> work = {latch};
  while (!work.empty()) {
    const ptx::BlockId block = work.back();
    work.pop_back();
    if (loop.contains[block]) continue;
    loop.contains[block] = true;
    for (const ptx::BlockId before : flow.blocks()[block].predecessors) {
      if (reachable[before]) work.push_back(before);
    }
  }
}

}  // namespace

LoopForest::LoopForest(const ptx::ControlFlow& flow) : order_(ReversePostOrder(flow)) {
  const size_t blocks = flow.blocks().size();
  reachable_.assign(blocks, false);
  for (const ptx::BlockId block : order_) reachable_[block] = true;
  innermost_.assign(blocks, kNoLoop);
  header_of_.assign(blocks, kNoLoop);
  for (const ptx::BlockId header : order_) {
    NaturalLoop loop;
    loop.header = header;
    loop.contains.assign(blocks, false);
    loop.contains[header] = true;
    for (const ptx::BlockId latch : flow.blocks()[header].predecessors) {
      if (!reachable_[latch] || !flow.Dominates(header, latch)) continue;
      loop.latches.push_back(latch);
      AddBody(flow, reachable_, latch, loop);
    }
    if (loop.latches.empty()) continue;
    // Headers come in reverse post-order: a loop around this one is already there.
    loop.parent = innermost_[header];
    const auto id = static_cast<uint32_t>(loops_.size());
    header_of_[header] = id;
    for (ptx::BlockId block = 0; block < blocks; ++block) {
      if (loop.contains[block]) innermost_[block] = id;
    }
    loops_.push_back(std::move(loop));
  }
}

}  // namespace flagstone
