// What each node of a machine did in a launch, and what went between them.
#ifndef FLAGSTONE_APP_RESULTS_NODES_RECORD_H_
#define FLAGSTONE_APP_RESULTS_NODES_RECORD_H_

#include <cstdint>
#include <vector>

#include "gpu_model/stats/link_load.h"

namespace flagstone {

struct NodesRecord {
  struct Node {
    uint64_t tbs = 0;
    uint64_t cycles_busy = 0;  // until the last issue of its SMs, or the last reply to them
    uint64_t l2_accesses = 0;  // 32 B sectors, as all below
    uint64_t dram_reads = 0;
    uint64_t dram_writes = 0;
  };
  std::vector<Node> nodes;
  // [from][home]: L2 misses of the SMs of a node, by the home of the lines.
  std::vector<std::vector<uint64_t>> traffic;
  std::vector<LinkLoad> links;  // between the nodes, in one order for all launches of a machine
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_NODES_RECORD_H_
