// Where the energy of a launch went.
#ifndef FLAGSTONE_GPU_MODEL_STATS_ENERGY_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_ENERGY_STATISTICS_H_

#include <cstdint>

namespace flagstone {

// In pJ. `total` is the sum of the others.
struct EnergyStatistics {
  uint64_t total = 0;
  uint64_t instructions = 0;
  uint64_t operations = 0;
  uint64_t registers = 0;
  uint64_t shared = 0;
  uint64_t l1 = 0;
  uint64_t noc = 0;
  uint64_t l2 = 0;
  struct {
    uint64_t activate = 0;
    uint64_t read = 0;
    uint64_t write = 0;
    uint64_t refresh = 0;
    uint64_t idle = 0;
  } dram;
  uint64_t blocks = 0;
  uint64_t leakage = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_ENERGY_STATISTICS_H_
