// What the parts of a chip have counted, and whether nothing is left in them.
#ifndef FLAGSTONE_SYSTEMC_COLLECT_H_
#define FLAGSTONE_SYSTEMC_COLLECT_H_

#include <cstdint>
#include <vector>

#include "app/results/chip_parts.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/stats/statistics.h"
#include "kernels/ptx/kernel.h"
#include "systemc/gpu.h"

namespace flagstone {

// After `cycles` core cycles of a launch.
ChipParts CollectParts(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles);

// All parts added up, with what the chip as a whole counts; TB groups and occupancy are the
// caller's.
LaunchStatistics CollectTotals(const GpuModule& gpu, const ChipParts& parts, uint64_t cycles);

// The same, of the parts as they are.
LaunchStatistics CollectTotals(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles);

// The global loads that were executed, all SMs together; none without a prefetcher.
std::vector<LoadPrefetches> CollectLoads(const GpuModule& gpu, const ptx::Kernel& kernel);

// At the end of a launch of so many TBs: everything went in, everything came out: no request, MSHR,
// queue place or credit is left. Throws kRunFailed where one is.
void CheckConservation(const GpuModule& gpu, uint64_t tb_count);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COLLECT_H_
