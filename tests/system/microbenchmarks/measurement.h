// What a machine's parts cost when a kernel uses nothing else, beside what its file says.
#ifndef FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_MEASUREMENT_H_
#define FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_MEASUREMENT_H_

#include <string>
#include <vector>

#include "gpu_model/machines/machine.h"

namespace flagstone::microbenchmark {

struct Measurement {
  std::string name;
  std::string unit;
  double measured = 0;
  double expected = 0;  // by the machine file
  // What is right: measured within [lowest, highest].
  double lowest = 0;
  double highest = 0;

  bool Right() const { return lowest <= measured && measured <= highest; }
};

using Measurements = std::vector<Measurement>;

// Exactly what the file says, but for the rounding of clock domains: `slack` either way.
Measurement Exact(std::string name, std::string unit, double measured, double expected,
                  double slack = 0);
// A bandwidth: never above what the file allows, and at least `share` of it.
Measurement Bound(std::string name, std::string unit, double measured, double bound, double share);

// Settings for all measurements: their kernels are short and straight code, which would wait for
// each line of instructions, and for the parameters once.
inline std::vector<std::string> IdealFetch() {
  return {"sm.instruction_cache.size_kib=0", "sm.const_cache.size_kib=0", "sm.fetch_warps=0"};
}

Measurements MeasureLatencies(const MachineConfig& machine);
Measurements MeasureBandwidths(const MachineConfig& machine);
Measurements MeasurePipes(const MachineConfig& machine);
Measurements MeasureSharedMemory(const MachineConfig& machine);
Measurements MeasureLoadStorePlaces(const MachineConfig& machine);
Measurements MeasureSynchronization(const MachineConfig& machine);
Measurements MeasureOccupancy(const MachineConfig& machine);
Measurements MeasureAll(const MachineConfig& machine);

}  // namespace flagstone::microbenchmark

#endif  // FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_MEASUREMENT_H_
