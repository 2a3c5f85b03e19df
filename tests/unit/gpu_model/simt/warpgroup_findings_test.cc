// What --check-races finds about wgmma: missing fences of registers and of shared memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/gpu_model/simt/warpgroup_kernel.h"

namespace flagstone {
namespace warpgroup_findings_test {

using testing::HasSubstr;

const std::string kStore = "shl.b32 %r4, %r1, 4;\nst.shared.u32 [%r4], %r1;\n";
const std::string kProxy = "fence.proxy.async;\n";
const std::string kBarrier = "bar.sync 0;\n";
const std::string kRest = kFence + WarpgroupProduct() + kCommit + WaitGroup(0);

std::vector<std::string> RacesOf(const std::string& body, bool wanted = true) {
  Findings findings;
  findings.wants_races = wanted;
  KernelRun run = WarpgroupRun(body);
  run.Into(&findings).Run();
  std::vector<std::string> texts;
  for (const Finding& finding : findings.List()) {
    EXPECT_EQ(finding.kind, FindingKind::kRace);
    texts.push_back(finding.text);
  }
  return texts;
}

TEST(WarpgroupFindings, NoneWhereFencesStandWhereTheyShould) {
  EXPECT_THAT(RacesOf("mov.f32 %f1, 0f00000000;\n" + kStore + kProxy + kBarrier + kRest +
                      "add.f32 %f2, %f1, %f2;\n" + kRest),
              testing::IsEmpty());
}

TEST(WarpgroupFindings, AMissingFenceBeforeTheFirstProduct) {
  const auto races = RacesOf(WarpgroupProduct() + kCommit + WaitGroup(0));
  ASSERT_EQ(races.size(), 1U);
  EXPECT_THAT(races[0], HasSubstr("race on registers: test.ptx:20 (wgmma.mma_async.sync.aligned"));
  EXPECT_THAT(races[0], HasSubstr("without a wgmma.fence before it, by warp 0 of TB (0,0,0)"));
}

TEST(WarpgroupFindings, ARegisterThatWasWrittenSinceTheFence) {
  const auto races = RacesOf(kFence + std::string("mov.f32 %f2, 0f00000000;\n") +
                             WarpgroupProduct() + kCommit + WaitGroup(0));
  ASSERT_EQ(races.size(), 1U);
  EXPECT_THAT(races[0], HasSubstr("race on %f2: test.ptx:21 (mov.f32 %f2, 0f00000000) and "
                                  "test.ptx:22 (wgmma"));
  EXPECT_THAT(races[0], HasSubstr("without a wgmma.fence between them, by warp 0"));
}

TEST(WarpgroupFindings, AFactorInRegistersThatWasWrittenSinceTheFence) {
  const std::string product = WarpgroupProduct(1, "{%r4, %r5, %r6, %r7}");
  EXPECT_EQ(RacesOf(kFence + std::string("mov.u32 %r6, 1;\n") + product).size(), 1U);
  EXPECT_TRUE(RacesOf("mov.u32 %r6, 1;\n" + std::string(kFence) + product).empty());
}

// The sums of one product are those of the next: no fence is needed between them, nor for copies.
TEST(WarpgroupFindings, NoFenceBetweenProductsOnTheSameSums) {
  std::string copies;
  for (int i = 1; i <= 4; ++i) {
    copies += "mov.f32 %f" + std::to_string(i + 4) + ", %f" + std::to_string(i) + ";\n";
  }
  EXPECT_TRUE(RacesOf(kFence + WarpgroupProduct() + WarpgroupProduct() + copies +
                      WarpgroupProduct(5) + kCommit + WaitGroup(0))
                  .empty());
}

TEST(WarpgroupFindings, AStoreWithoutAFenceOfTheProxies) {
  const auto races = RacesOf(kStore + kBarrier + kRest);
  ASSERT_FALSE(races.empty());
  EXPECT_THAT(races[0],
              HasSubstr("race on shared memory: test.ptx:21 (st.shared.u32 [%r4], %r1) by"));
  EXPECT_THAT(races[0], HasSubstr("and test.ptx:24 (wgmma.mma_async"));
  EXPECT_THAT(races[0], HasSubstr("without a fence.proxy.async between them"));
  // Before the store it orders nothing.
  EXPECT_FALSE(RacesOf(kProxy + kStore + kBarrier + kRest).empty());
  // The warp that reads may have it, once it has met the writer.
  EXPECT_TRUE(RacesOf(kStore + kBarrier + kProxy + kRest).empty());
}

TEST(WarpgroupFindings, AStoreWithoutABarrier) {
  const auto races = RacesOf(kStore + kProxy + kRest);
  ASSERT_FALSE(races.empty());
  EXPECT_THAT(races[0], HasSubstr("without a barrier between them"));
}

TEST(WarpgroupFindings, NoneUnlessAskedFor) {
  EXPECT_TRUE(RacesOf(kStore + kBarrier + WarpgroupProduct(), false).empty());
}

TEST(WarpgroupFindings, NoneOfAKernelWithoutSharedMemory) {
  Findings findings;
  findings.wants_races = true;
  KernelRun run = KernelRun::FromText(KernelText("", "fence.proxy.async;\nret;"));
  run.Into(&findings).Run();
  EXPECT_TRUE(findings.List().empty());
}

}  // namespace warpgroup_findings_test
}  // namespace flagstone
