// What the nodes of a machine have counted, and whether their counts agree.
#ifndef FLAGSTONE_SYSTEMC_COLLECT_NODES_H_
#define FLAGSTONE_SYSTEMC_COLLECT_NODES_H_

#include <cstdint>

#include "app/results/nodes_record.h"
#include "gpu_model/memory/page_table.h"
#include "gpu_model/stats/statistics.h"
#include "systemc/gpu.h"

namespace flagstone {

// After `cycles` core cycles of a launch.
NodesRecord CollectNodes(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles);

// As above, the last `flush_cycles` of them to write lines back.
NumaStatistics CollectNuma(const GpuModule& gpu, const ClockConfig& clock, const NodesRecord& nodes,
                           const PageTable& pages, uint64_t cycles, uint64_t flush_cycles);

// At the end of a launch: every request is of one class, every miss on another node's line is an
// access there, and the traffic matrix has neither more nor less. Throws kRunFailed where a count
// is another than it must be.
void CheckNodeCounts(const GpuModule& gpu, const LaunchStatistics& totals,
                     const NodesRecord& nodes);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COLLECT_NODES_H_
