// A slice of values has the timing of full execution: all statistics, on every workload.
#include "gpu_model/simt/value_slice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/launch/launch_sequence.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace value_slice_test {

// The statistics of each launch, and how many instructions were left out.
struct Outcome {
  std::vector<uint64_t> statistics;
  size_t left_out = 0;
};

Outcome SimulateAll(const Workload& workload, bool slice) {
  BoundWorkload bound = Bind(workload);
  Outcome outcome;
  if (slice) {
    std::vector<std::string> flags;
    for (const LaunchLoop& loop : bound.loops) flags.push_back(loop.until_zero);
    const auto needed = FindNeededValues(bound.launches, bound.memory, flags);
    for (size_t i = 0; i < needed.size(); ++i) {
      bound.launches[i].needed_values = needed[i];
      for (const bool is_needed : needed[i]) outcome.left_out += is_needed ? 0 : 1;
    }
  }
  SimulateOptions options;
  // One TB of a GEMM has more registers than an SM of tiny.
  options.machine = MachineConfig::Load("tiny", {"sm.registers=32768"});
  options.engine = Engine::kModel;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    LaunchRequest request;
    request.launch = launch;
    request.memory = &bound.memory;
    const LaunchStatistics statistics = Simulate(options, request).launch.statistics;
    for (const StatisticsField& field : StatisticsTable()) {
      for (const uint64_t value : field.Get(statistics)) outcome.statistics.push_back(value);
    }
  }
  return outcome;
}

TEST(ValueSlice, ChangesNoStatisticOfAnyWorkload) {
  size_t left_out = 0;
  for (const std::string& name : ListWorkloads()) {
    SCOPED_TRACE(name);
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    const Outcome sliced = SimulateAll(workload, true);
    EXPECT_EQ(sliced.statistics, SimulateAll(workload, false).statistics);
    left_out += sliced.left_out;
  }
  EXPECT_GT(left_out, 0U);
}

}  // namespace value_slice_test
}  // namespace flagstone
