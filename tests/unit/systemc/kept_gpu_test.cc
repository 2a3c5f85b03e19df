// Launches of a run that share one elaborated GPU: each goes as it would on one of its own.
#include "systemc/kept_gpu.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace kept_gpu_test {

class KeptGpuTest : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  KeptGpuTest() {
    options_.engine = Engine::kModel;
    options_.machine = MachineConfig::Load("tiny", GetParam());
  }

  // The first launch of a workload, on `gpu` or, without one, on its own.
  SimulationResult Run(const std::string& name, const std::string& scheduler,
                       std::unique_ptr<KeptGpu>* gpu) {
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    BoundWorkload bound = Bind(workload);
    LaunchRequest request;
    request.launch = &bound.launches[0];
    request.memory = &bound.memory;
    request.tb_scheduler = FindTbScheduler(scheduler);
    if (request.tb_scheduler->has_queue) request.groups = ColumnGroups(*request.launch, 3);
    request.gpu = gpu;
    return Simulate(options_, request);
  }

  SimulateOptions options_;
  std::unique_ptr<KeptGpu> gpu_;
};

TEST_P(KeptGpuTest, EachLaunchGoesAsOnAGpuOfItsOwn) {
  for (const auto& [name, scheduler] : {std::pair{"transpose", "lrr"}, std::pair{"vecadd", "paver"},
                                        std::pair{"syrk", "lrr"}, std::pair{"vecadd", "paver"}}) {
    const LaunchStatistics own = Run(name, scheduler, nullptr).launch.statistics;
    const LaunchStatistics kept = Run(name, scheduler, &gpu_).launch.statistics;
    EXPECT_EQ(Difference(kept, own), "") << name;
    EXPECT_GT(own.cycles, 0U);
  }
}

TEST_P(KeptGpuTest, AnUnfinishedLaunchTakesTheGpuAlong) {
  const LaunchStatistics own = Run("syrk", "lrr", nullptr).launch.statistics;
  Run("vecadd", "lrr", &gpu_);
  ASSERT_NE(gpu_, nullptr);
  options_.max_cycles = 300;
  EXPECT_ANY_THROW(Run("syrk", "lrr", &gpu_));
  EXPECT_EQ(gpu_, nullptr);
  options_.max_cycles = 0;
  EXPECT_EQ(Difference(Run("syrk", "lrr", &gpu_).launch.statistics, own), "");
}

INSTANTIATE_TEST_SUITE_P(Machines, KeptGpuTest,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"clock.core=700", "clock.l2=450",
                                                                  "clock.dram=924"},
                                         std::vector<std::string>{"dram.model=fixed"}));

}  // namespace kept_gpu_test
}  // namespace flagstone
