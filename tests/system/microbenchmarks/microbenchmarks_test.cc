// Every machine does what its file says, part by part.
#include <gtest/gtest.h>

#include <string>

#include "tests/system/microbenchmarks/measurement.h"

namespace flagstone::microbenchmark {
namespace microbenchmarks_test {

class Microbenchmarks : public testing::TestWithParam<std::string> {
 protected:
  void Check(Measurements (*measure)(const MachineConfig&)) {
    const Measurements rows = measure(MachineConfig::Load(GetParam(), IdealFetch()));
    EXPECT_FALSE(rows.empty());
    for (const Measurement& row : rows) {
      EXPECT_TRUE(row.Right()) << row.name << ": " << row.measured << " " << row.unit
                               << ", expected " << row.expected << " (" << row.lowest << " to "
                               << row.highest << ")";
    }
  }
};

TEST_P(Microbenchmarks, LatenciesAreThoseOfTheFile) { Check(MeasureLatencies); }
TEST_P(Microbenchmarks, BandwidthsComeNearTheirBounds) { Check(MeasureBandwidths); }
TEST_P(Microbenchmarks, PipesTakeTheirLatencyAndInterval) { Check(MeasurePipes); }
TEST_P(Microbenchmarks, SharedMemoryPaysForBankConflicts) { Check(MeasureSharedMemory); }
TEST_P(Microbenchmarks, AsManyMemoryInstructionsWaitAsThereArePlaces) {
  Check(MeasureLoadStorePlaces);
}
TEST_P(Microbenchmarks, BarriersAndAtomicsCostWhatTheFileSays) { Check(MeasureSynchronization); }
TEST_P(Microbenchmarks, AsManyTbsRunAtOnceAsFit) { Check(MeasureOccupancy); }

// What they measure is a node's: machines of several have further tests
// (tests/unit/systemc/nodes_test.cc).
std::vector<std::string> MachinesOfOneNode() {
  std::vector<std::string> names = ListMachines();
  std::erase_if(names, [](const std::string& name) {
    return MachineConfig::Load(name, {}).numa.Nodes() > 1;
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Machines, Microbenchmarks, testing::ValuesIn(MachinesOfOneNode()),
                         [](const auto& machine) { return machine.param; });

}  // namespace microbenchmarks_test
}  // namespace flagstone::microbenchmark
