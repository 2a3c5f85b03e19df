// Clock domains as integer ratios: edges are exact multiples of a common tick, never rounded times.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_CLOCK_RATIO_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_CLOCK_RATIO_H_

#include <cstdint>
#include <numeric>

#include "gpu_model/machines/machine.h"

namespace flagstone {

// Ticks per cycle of each domain. A tick is 1 / lcm(frequencies) of a microsecond.
struct ClockPeriods {
  explicit ClockPeriods(const ClockConfig& clock) {
    const uint64_t common = std::lcm(std::lcm(uint64_t{clock.core}, uint64_t{clock.interconnect}),
                                     std::lcm(uint64_t{clock.l2}, uint64_t{clock.dram}));
    core = common / clock.core;
    interconnect = common / clock.interconnect;
    l2 = common / clock.l2;
    dram = common / clock.dram;
  }
  uint64_t core, interconnect, l2, dram;
};

// `cycles` of a clock of `from` MHz, in cycles of one of `to` MHz, rounded up.
inline uint32_t ConvertCycles(uint64_t cycles, uint32_t from, uint32_t to) {
  return static_cast<uint32_t>((cycles * to + from - 1) / from);
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_CLOCK_RATIO_H_
