#include "tests/system/microbenchmarks/measurement.h"

#include <utility>

namespace flagstone::microbenchmark {

Measurement Exact(std::string name, std::string unit, double measured, double expected,
                  double slack) {
  return {std::move(name), std::move(unit), measured, expected, expected - slack, expected + slack};
}

Measurement Bound(std::string name, std::string unit, double measured, double bound, double share) {
  // A run's last requests overlap the next one's first: a thousandth above the bound is noise.
  return {std::move(name), std::move(unit), measured, bound, bound * share, bound * 1.001};
}

Measurements MeasureAll(const MachineConfig& machine) {
  Measurements all;
  for (auto* measure : {MeasureLatencies, MeasureBandwidths, MeasurePipes, MeasureSharedMemory,
                        MeasureLoadStorePlaces, MeasureSynchronization, MeasureOccupancy}) {
    for (Measurement& row : measure(machine)) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace flagstone::microbenchmark
