// Random kernels: what is analysed as affine or deterministic is what runs, for every access.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/executed_accesses.h"
#include "tests/unit/analyzer/random_kernel.h"

namespace flagstone {
namespace random_kernels_test {

struct Tally {
  uint64_t affine = 0;
  uint64_t deterministic = 0;
  uint64_t indirect = 0;
  uint64_t unevaluated = 0;  // deterministic, but left out
};

void Check(uint64_t seed, Tally& tally) {
  const RandomKernel kernel(seed);
  SplitMix64 random(seed ^ 0x5eed);
  const Dim3 grid{static_cast<uint32_t>(1 + random.Below(4)),
                  static_cast<uint32_t>(1 + random.Below(3)), 1};
  const Dim3 block{static_cast<uint32_t>(8 << random.Below(4)),
                   static_cast<uint32_t>(1 + random.Below(4)), 1};
  KernelUnderAnalysis run(kernel.text(), grid, block, static_cast<uint32_t>(random.Below(40)),
                          static_cast<uint32_t>(random.Below(64)), 2 * RandomKernel::kReach);
  run.Set(0, run.a() + RandomKernel::kReach);
  for (uint64_t i = 0; i < 2 * RandomKernel::kReach; i += 4) {
    const auto value = static_cast<uint32_t>(random.Next());
    std::memcpy(run.memory().At(run.a() + i), &value, sizeof(value));
  }
  const AddressAnalysis analysis = run.Analyze();
  const ExecutedAccesses executed = RunAndRecord(run.launch(), &run.memory());
  for (const AddressForm& access : analysis.accesses) {
    const uint32_t tbs = ExpectSameAddresses(analysis, access, run.launch(), executed);
    if (access.address_class == AddressClass::kAffine) {
      EXPECT_GT(tbs, 0U);
      ++tally.affine;
    }
    if (access.address_class == AddressClass::kDeterministic) {
      ++(tbs == 0 ? tally.unevaluated : tally.deterministic);
    }
    if (access.address_class == AddressClass::kIndirect) {
      EXPECT_EQ(tbs, 0U);
      ++tally.indirect;
    }
  }
}

TEST(RandomKernels, RunTheAddressesThatTheAnalysisFinds) {
  Tally tally;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Check(seed, tally);
    if (HasFailure()) {
      FAIL() << "seed " << seed << "\n" << RandomKernel(seed).text();
    }
  }
  // Each class must have been met, or nothing was tested.
  EXPECT_GT(tally.affine, 100U);
  EXPECT_GT(tally.deterministic, 100U);
  EXPECT_GT(tally.indirect, 20U);
  EXPECT_EQ(tally.unevaluated, 0U);
  RecordProperty("affine", std::to_string(tally.affine));
  RecordProperty("deterministic", std::to_string(tally.deterministic));
  RecordProperty("indirect", std::to_string(tally.indirect));
}

}  // namespace random_kernels_test
}  // namespace flagstone
