// Random kernels on golden model and RTL in lockstep: every output, every cycle, each dispatcher.
// FLAGSTONE_LOCKSTEP_CYCLES=N or FLAGSTONE_LOCKSTEP_SECONDS=N makes the last test go on as long.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/random.h"
#include "systemc/bodies/tb_scheduler_factory.h"
#include "tests/blocks/asked_length.h"
#include "tests/contract/random_kernels.h"
#include "tests/rtl/lockstep_pair.h"

namespace flagstone {
namespace {

constexpr Dispatcher kDispatchers[] = {
    Dispatcher::kPaver,   Dispatcher::kLrr,   Dispatcher::kBcs,   Dispatcher::kCacheFit,
    Dispatcher::kSwizzle, Dispatcher::kChunk, Dispatcher::kCtaMap};

struct Machine {
  Dispatcher dispatcher = Dispatcher::kPaver;
  uint32_t num_sms = 1;
  uint32_t id_bytes = 2;
};

std::string NameOf(const Machine& machine) {
  return fmt::format("{}_{}_sms_{}_byte_ids", ToString(machine.dispatcher), machine.num_sms,
                     machine.id_bytes);
}

struct Totals {
  uint64_t ticks = 0;
  uint64_t skipped = 0;
  uint64_t steals = 0;
};

// `kernels` kernels, one right after the other on the same bodies, from a random state. Every other
// seed leaves out the RTL's ticks that it says are idle.
Totals RunKernels(const Machine& machine, uint64_t seed, uint32_t kernels) {
  SplitMix64 random(seed * 4096 + machine.num_sms * 32 + machine.id_bytes * 8 +
                    static_cast<uint64_t>(machine.dispatcher));
  LockstepPair pair(machine.dispatcher, machine.num_sms, machine.id_bytes, seed % 2 == 0,
                    1 + random.Next());
  Totals totals;
  for (uint32_t kernel = 0; kernel < kernels; ++kernel) {
    const KernelRecord record =
        RunRandomKernel(machine.dispatcher, machine.num_sms, machine.id_bytes,
                        6 * machine.num_sms + 20, &random, &pair);
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
  const uint64_t seeds = GetParam().num_sms > 15 ? 4 : 30;
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
  if (GetParam().dispatcher == Dispatcher::kPaver && GetParam().num_sms > 1) {
    EXPECT_GT(sum.steals, 0u);
  }
}

std::vector<Machine> Machines() {
  std::vector<Machine> machines;
  for (const Dispatcher dispatcher : kDispatchers) {
    for (const uint32_t sms : {1u, 2u, 3u, 15u, 80u}) machines.push_back({dispatcher, sms, 2});
    machines.push_back({dispatcher, 3, 4});
  }
  machines.push_back({Dispatcher::kPaver, 15, 4});
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

}  // namespace
}  // namespace flagstone
