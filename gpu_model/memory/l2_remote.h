// What an L2 slice has beside its cache where there are several nodes.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_REMOTE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_REMOTE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/fabric_port.h"
#include "gpu_model/memory/l2_policy_unit.h"
#include "gpu_model/memory/mshr_table.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/physical_line.h"
#include "gpu_model/stats/numa_statistics.h"

namespace flagstone {

// Requests on their way to the tags.
struct L2Lane {
  L2Lane(uint32_t queue, uint32_t latency) : input(queue), pipeline(latency + 1) {}

  struct Delayed {
    Packet packet;
    uint64_t ready = 0;
    L2Decision decision;  // where there are several nodes, as all below
  };
  bool Ready(uint64_t now) const {
    return pipeline.size() > undecided && pipeline.front().ready <= now;
  }

  Ring<Packet> input;
  Ring<Delayed> pipeline;  // one request a cycle
  size_t undecided = 0;    // of the pipeline, from its back
  bool asks = false;       // the policy, about the back
};

// Data that an MSHR has waited for.
struct L2Fill {
  uint16_t mshr = 0;
  SectorMask sectors = 0;
};

// That nothing waits in a circle: requests of other nodes have a queue, pipeline slots and MSHRs of
// their own, and need neither a way nor the fabric's requests; every reply has a place.
struct L2Remote {
  L2Remote(const L2Config& config, const NumaConfig& numa, uint32_t own_node, uint32_t merges)
      : node(own_node),
        local_mshrs(config.cache.mshrs - numa.remote_mshrs),
        lane(config.input_queue, config.pipeline_latency),
        forwards(config.cache.miss_queue),
        replies(size_t{merges} + 8),
        fills(size_t{config.cache.mshrs} * (kLineBytes / kSectorBytes)),
        mshrs(config.cache.mshrs),
        traffic(numa.Nodes(), 0) {}

  uint32_t HomeOfLine(LineNumber line) const { return IsPrivate(line) ? node : HomeOf(line); }
  L2ClassStatistics& Of(L2Class c) { return classes[static_cast<size_t>(c)]; }

  // Of each MSHR, beside what the table knows.
  struct Mshr {
    bool local = false;  // allocated for an SM of the node
    // Without a way, which is left to others, or not needed: what it fetches.
    LineNumber local_number = 0;
    SectorMask wanted = 0, here = 0;
    bool merges = false;  // later reads of other nodes
  };

  const uint32_t node;
  const uint32_t local_mshrs;  // that requests of the own SMs may use
  L2Lane lane;                 // of other nodes' requests
  bool remote_turn = false;    // at the tags, where both lanes want them
  Ring<Packet> forwards;       // to other nodes
  Ring<Packet> replies;        // to other nodes
  // From other nodes. The DRAM's are elsewhere: both may come at one instant, in an order that
  // means nothing.
  Ring<L2Fill> fills;
  bool fill_turn = false;  // of these, where the DRAM's wait too
  std::vector<Mshr> mshrs;
  uint32_t local_used = 0;          // of these, by the own SMs
  std::vector<uint16_t> mergeable;  // MSHRs without a way that later reads merge in
  FabricPort* fabric = nullptr;
  L2PolicyUnit* policy = nullptr;

  std::array<L2ClassStatistics, kL2Classes> classes;
  uint64_t bypassed = 0;
  std::vector<uint64_t> traffic;  // by home: sectors that the own SMs' misses moved
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_REMOTE_H_
