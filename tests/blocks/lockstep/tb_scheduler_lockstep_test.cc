// Random kernels on golden model and RTL in lockstep: every output, every cycle, each kind.
// FLAGSTONE_LOCKSTEP_CYCLES=N or FLAGSTONE_LOCKSTEP_SECONDS=N makes the last test go on as long.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/random.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/random_kernels.h"
#include "tests/blocks/rtl/lockstep_pair.h"
#include "tests/blocks/stimuli/asked_length.h"

namespace flagstone {
namespace tb_scheduler_lockstep_test {

struct Machine {
  const TbSchedulerDescriptor* kind = FindTbScheduler("paver");
  TbSchedulerSize size = {};
};

std::string NameOf(const Machine& machine) {
  const TbSchedulerSize& size = machine.size;
  const std::string name =
      fmt::format("{}_{}_sms_{}_byte_ids", machine.kind->name, size.num_sms, size.id_bytes);
  if (size.issue_ports != 1) return fmt::format("{}_{}_ports", name, size.issue_ports);
  if (size.descriptors == TbSchedulerSize::kDescriptors) return name;
  return fmt::format("{}_{}_descriptors", name, size.descriptors);
}

struct Totals {
  uint64_t ticks = 0;
  uint64_t skipped = 0;
  uint64_t steals = 0;
};

// `kernels` kernels, one right after the other on the same bodies, from a random state. Every other
// seed leaves out the RTL's ticks that it says are idle.
Totals RunKernels(const Machine& machine, uint64_t seed, uint32_t kernels) {
  SplitMix64 random(seed * 4096 + machine.size.num_sms * 32 + machine.size.id_bytes * 8 +
                    machine.kind->name.size());
  LockstepPair pair(machine.kind, machine.size, seed % 2 == 0, 1 + random.Next());
  Totals totals;
  for (uint32_t kernel = 0; kernel < kernels; ++kernel) {
    const KernelRecord record =
        RunRandomKernel(machine.kind, machine.size.num_sms, machine.size.id_bytes,
                        6 * machine.size.num_sms + 20, &random, &pair);
    totals.steals += record.steals.size();
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << NameOf(machine) << ", seed " << seed << ", kernel " << kernel;
      break;
    }
  }
  totals.ticks = pair.ticks();
  totals.skipped = pair.skipped();
  return totals;
}

class TbSchedulerRtl : public testing::TestWithParam<Machine> {};

TEST_P(TbSchedulerRtl, EqualsItsModelInRandomKernels) {
  const uint64_t seeds = GetParam().size.num_sms > 15 ? 4 : 30;
  Totals sum;
  for (uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    const Totals totals = RunKernels(GetParam(), seed, 20);
    sum.ticks += totals.ticks;
    sum.skipped += totals.skipped;
    sum.steals += totals.steals;
  }
  std::printf(
      "%llu cycles, %llu skipped, %llu steals\n", static_cast<unsigned long long>(sum.ticks),
      static_cast<unsigned long long>(sum.skipped), static_cast<unsigned long long>(sum.steals));
  EXPECT_GT(sum.skipped, 0u);
  if (GetParam().kind->has_queue && GetParam().size.num_sms > 1) {
    EXPECT_GT(sum.steals, 0u);
  }
}

std::vector<Machine> Machines() {
  std::vector<Machine> machines;
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    for (const uint32_t sms : {1u, 2u, 3u, 15u, 80u}) machines.push_back({kind, {sms, 2}});
    machines.push_back({kind, {3, 4}});
    if (!kind->SeveralPorts()) continue;
    for (const auto& [sms, ports] : {std::pair{5u, 2u}, {15u, 15u}, {80u, 40u}}) {
      machines.push_back({kind, {.num_sms = sms, .issue_ports = ports}});
    }
  }
  machines.push_back({FindTbScheduler("paver"), {15, 4}});
  machines.push_back({FindTbScheduler("paver_wide"), {15, 4}});
  machines.push_back({FindTbScheduler("paver_wide"), {5, 2}});
  machines.push_back({FindTbScheduler("paver_wide"), {3, 2, 3}});
  machines.push_back({FindTbScheduler("paver_wide"), {18, 2, 32}});
  for (const uint32_t descriptors : {1u, 32u}) {
    machines.push_back({FindTbScheduler("paver"), {3, 2, descriptors}});
  }
  return machines;
}

INSTANTIATE_TEST_SUITE_P(Blocks, TbSchedulerRtl, testing::ValuesIn(Machines()),
                         [](const auto& machine) { return NameOf(machine.param); });

// Machine after machine, other seeds each time, until enough cycles were compared.
TEST(TbSchedulerRtlDeep, EqualsItsModelForAsLongAsAskedFor) {
  const AskedLength asked;
  if (asked.none()) GTEST_SKIP() << "no length is asked for";
  uint64_t ticks = 0;
  for (uint64_t seed = 1000; !asked.Reached(ticks) && !HasFailure(); ++seed) {
    for (const Machine& machine : Machines()) {
      ticks += RunKernels(machine, seed, 4).ticks;
      if (asked.Reached(ticks)) break;
    }
  }
  std::printf("%llu cycles\n", static_cast<unsigned long long>(ticks));
  EXPECT_GT(ticks, 0u);
}

}  // namespace tb_scheduler_lockstep_test
}  // namespace flagstone
