// Every workload, run functionally, gives what its independent CPU reference gives.
#include <gtest/gtest.h>

#include "gpu_model/simt/executor.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "workloads/reference.h"

namespace flagstone {
namespace workloads_functional_test {

class WorkloadsFunctional : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadsFunctional, GiveWhatTheirReferenceGives) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  BoundWorkload bound = Bind(workload);
  uint64_t instructions = 0;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    instructions += RunFunctionally(*launch, &bound.memory).warp_instructions;
  }
  EXPECT_GT(instructions, 0U);
  const std::vector<CheckResult> checks = RunChecks(workload, bound.memory, References());
  ASSERT_FALSE(checks.empty());
  for (const CheckResult& check : checks) {
    EXPECT_TRUE(check.passed) << check.buffer << ": " << check.mismatches << " mismatches";
  }
}

INSTANTIATE_TEST_SUITE_P(All, WorkloadsFunctional, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) { return workload.param; });

}  // namespace workloads_functional_test
}  // namespace flagstone
