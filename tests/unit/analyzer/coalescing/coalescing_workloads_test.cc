// Analysed requests = executed requests: every load of every workload, and of random kernels.
#include <gtest/gtest.h>

#include <map>

#include "analyzer/address/address_analysis.h"
#include "analyzer/coalescing/coalescing.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/workload.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/random_kernel.h"

namespace flagstone {
namespace coalescing_workloads_test {

struct Fetched {
  uint64_t requests = 0;
  uint64_t sectors = 0;
};

// By pc: what the warps of the launch really fetch.
std::map<uint32_t, Fetched> Execute(const KernelLaunch& launch, DeviceMemory* memory) {
  struct Context {
    const ptx::Kernel* kernel;
    std::map<uint32_t, Fetched> fetched;
  } context{launch.kernel, {}};
  const auto observe = [](void* data, uint64_t, uint32_t, const StepResult& step) {
    Context& c = *static_cast<Context*>(data);
    if (step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
    if (step.executed == 0) return;
    const ptx::Instruction& instruction = c.kernel->instructions[step.pc];
    const uint64_t bytes =
        static_cast<uint64_t>(ptx::SizeInBytes(instruction.type)) * instruction.modifiers.vector;
    std::set<uint64_t> sectors;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((step.executed >> lane & 1) == 0) continue;
      const uint64_t address = (*step.addresses)[lane];
      for (uint64_t b = 0; b < bytes; ++b) sectors.insert((address + b) / 32);
    }
    ++c.fetched[step.pc].requests;
    c.fetched[step.pc].sectors += sectors.size();
  };
  RunFunctionally(launch, memory, observe, &context);
  return context.fetched;
}

// Returns how many loads were compared.
uint32_t ExpectExecuted(const KernelLaunch& launch, DeviceMemory* memory) {
  const AddressAnalysis addresses = AnalyzeAddresses(launch, *memory);
  const std::vector<LoadCoalescing> loads = AnalyzeCoalescing(addresses, launch);
  std::map<uint32_t, Fetched> executed = Execute(launch, memory);
  uint32_t compared = 0;
  for (const LoadCoalescing& load : loads) {
    if (!load.request_problem.empty() || load.tbs != launch.TbCount()) continue;
    ++compared;
    EXPECT_EQ(load.requests, static_cast<double>(executed[load.pc].requests))
        << launch.kernel->instructions[load.pc].text;
    EXPECT_EQ(load.sectors, static_cast<double>(executed[load.pc].sectors))
        << launch.kernel->instructions[load.pc].text;
  }
  return compared;
}

class ExecutedRequests : public testing::TestWithParam<std::string> {};

TEST_P(ExecutedRequests, AreTheAnalysedOnesForEveryLoadOfTheWorkload) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  BoundWorkload bound = Bind(workload);
  for (const KernelLaunch& launch : bound.launches) ExpectExecuted(launch, &bound.memory);
}

INSTANTIATE_TEST_SUITE_P(EveryWorkload, ExecutedRequests, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) {
                           std::string name = workload.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(ExecutedRequestsOfRandomKernels, AreTheAnalysedOnes) {
  uint32_t compared = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomKernel kernel(seed);
    SplitMix64 random(seed ^ 0x5eed);
    KernelUnderAnalysis run(kernel.text(), {3, 2, 1}, {16, 3, 1},
                            static_cast<uint32_t>(random.Below(40)),
                            static_cast<uint32_t>(random.Below(64)), 2 * RandomKernel::kReach);
    run.Set(0, run.a() + RandomKernel::kReach);
    compared += ExpectExecuted(run.launch(), &run.memory());
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << kernel.text();
  }
  EXPECT_GT(compared, 200U);
}

}  // namespace coalescing_workloads_test
}  // namespace flagstone
