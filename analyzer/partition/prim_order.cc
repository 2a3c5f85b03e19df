// Prim with a lazy binary heap.
#include "analyzer/partition/prim_order.h"

#include <algorithm>
#include <utility>

#include "analyzer/partition/partitioners.h"

namespace flagstone {
namespace partition {

PrimSorter::PrimSorter(const LocalityGraph& graph)
    : graph_(graph), waiting_(graph.tb_count), best_weight_(graph.tb_count) {}

void PrimSorter::Sort(std::vector<uint32_t>& members) {
  std::sort(members.begin(), members.end());
  for (const uint32_t tb : members) {
    waiting_[tb] = 1;
    best_weight_[tb] = 0;
  }
  heap_.clear();
  order_.clear();
  for (const uint32_t root : members) {  // the lowest TB of each component
    if (waiting_[root] == 0) continue;
    Insert(root);
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), After);
      const uint32_t tb = heap_.back().tb;
      heap_.pop_back();
      if (waiting_[tb] != 0) Insert(tb);
    }
  }
  members = order_;
}

void PrimSorter::Insert(uint32_t tb) {
  waiting_[tb] = 0;
  order_.push_back(tb);
  for (uint64_t i = graph_.row_start[tb]; i < graph_.row_start[tb + 1]; ++i) {
    const uint32_t other = graph_.neighbour[i];
    if (waiting_[other] == 0 || graph_.weight[i] <= best_weight_[other]) continue;
    best_weight_[other] = graph_.weight[i];
    heap_.push_back({graph_.weight[i], other});
    std::push_heap(heap_.begin(), heap_.end(), After);
  }
}

}  // namespace partition

std::vector<uint32_t> PrimOrder(const LocalityGraph& graph, std::vector<uint32_t> members) {
  partition::PrimSorter(graph).Sort(members);
  return members;
}

}  // namespace flagstone
