// Prim's algorithm over many groups of one graph, with scratch memory that is allocated once.
#ifndef FLAGSTONE_ANALYZER_PARTITION_PRIM_ORDER_H_
#define FLAGSTONE_ANALYZER_PARTITION_PRIM_ORDER_H_

#include <cstdint>
#include <vector>

#include "analyzer/locality/locality_graph.h"

namespace flagstone::partition {

class PrimSorter {
 public:
  explicit PrimSorter(const LocalityGraph& graph);

  // Puts `members` (distinct TBs) into maximum-spanning-tree insertion order, as PrimOrder states
  // it. O(E log V) over the edges of the members.
  void Sort(std::vector<uint32_t>& members);

 private:
  struct Candidate {
    uint64_t weight;  // heaviest edge to the tree so far
    uint32_t tb;
  };
  static bool After(const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.tb > b.tb;
  }
  void Insert(uint32_t tb);

  const LocalityGraph& graph_;
  std::vector<uint8_t> waiting_;       // by TB: 1 = a member that is not inserted yet
  std::vector<uint64_t> best_weight_;  // by TB: heaviest edge to the tree, 0 = none
  std::vector<Candidate> heap_;        // may hold outdated entries of a TB behind its best one
  std::vector<uint32_t> order_;
};

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_PRIM_ORDER_H_
