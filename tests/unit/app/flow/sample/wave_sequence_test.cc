#include "app/flow/sample/wave_sequence.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <set>

#include "kernels/ptx/parser.h"

namespace flagstone {
namespace wave_sequence_test {

class WaveSequenceTest : public testing::Test {
 protected:
  WaveSequenceTest()
      : module_(ptx::Parse(".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }",
                           "k.ptx")) {
    launch_.kernel = module_->kernels.front().get();
    launch_.module = module_.get();
    launch_.block = {32, 1, 1};
    request_.launch = &launch_;
  }

  void SetGrid(uint32_t tbs) { launch_.grid = {tbs, 1, 1}; }
  static std::vector<uint32_t> Flat(const WaveSequence::Lists& lists) {
    std::vector<uint32_t> flat;
    for (const auto& list : lists) flat.insert(flat.end(), list.begin(), list.end());
    return flat;
  }
  // Groups of consecutive TBs.
  void SetGroups(uint32_t groups, uint32_t tbs_each) {
    request_.tb_scheduler = FindTbScheduler("paver");
    SetGrid(groups * tbs_each);
    uint32_t next = 0;
    for (uint32_t g = 0; g < groups; ++g) {
      std::vector<uint32_t>& group = request_.groups.groups.emplace_back(tbs_each);
      std::iota(group.begin(), group.end(), next);
      next += tbs_each;
    }
  }

  std::unique_ptr<ptx::Module> module_;
  KernelLaunch launch_;
  LaunchRequest request_;
};

TEST_F(WaveSequenceTest, APartIsWavesFromTheSequenceAndTheTailWhatIsBeyondWholeWaves) {
  SetGrid(83);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  EXPECT_EQ(sequence.wave_tbs(), 8U);
  const WaveSequence::Lists part = sequence.Part(2, 4, /*tail=*/true);
  const std::vector<uint32_t> expected = {8, 9, 10, 11, 12, 13, 14, 15, 76, 77, 78, 79, 80, 81, 82};
  EXPECT_EQ(Flat(part), expected) << "a half wave and the three beyond ten waves";
  EXPECT_EQ(Flat(sequence.Part(0, 1, false)), (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST_F(WaveSequenceTest, LeavingOutWholeWavesLeavesTheLastOneAsFullAsItWas) {
  SetGrid(83);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  const size_t kept = Flat(sequence.Part(0, 9, /*tail=*/true)).size();
  EXPECT_EQ(kept % 8, 83U % 8);
}

TEST_F(WaveSequenceTest, OfPartsForEachSmEachIsCutAsTheSchedulerWouldDealTheRest) {
  request_.tb_scheduler = FindTbScheduler("chunk");
  SetGrid(200);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  const WaveSequence::Lists part = sequence.Part(0, 4, false);
  ASSERT_EQ(part.size(), 2U);
  EXPECT_EQ(part[0], (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(part[1], (std::vector<uint32_t>{100, 101, 102, 103, 104, 105, 106, 107}));
}

// 15 SMs of 127 or 128 TBs.
TEST_F(WaveSequenceTest, PartsThatDifferByATbStayAsTheSchedulerDealsThem) {
  request_.tb_scheduler = FindTbScheduler("chunk");
  SetGrid(1910);
  const WaveSequence sequence(request_, {.sms = 15, .tbs_per_sm = 8});
  const WaveSequence::Lists part = sequence.Part(0, 9, /*tail=*/true);
  const size_t all = Flat(part).size();
  for (size_t sm = 0; sm < part.size(); ++sm) {
    EXPECT_EQ(part[sm].size(), all / 15 + (sm < all % 15 ? 1 : 0)) << sm;
  }
}

TEST_F(WaveSequenceTest, WhereOneTbFitsAnSmHalvesOfWavesAreRoundedUpAndATailIsLeft) {
  request_.tb_scheduler = FindTbScheduler("chunk");
  SetGrid(200);
  const WaveSequence sequence(request_, {.sms = 4, .tbs_per_sm = 1});
  EXPECT_EQ(sequence.Part(0, 9, /*tail=*/false)[0].size(), 5U);
  EXPECT_EQ(sequence.Part(0, 9, /*tail=*/true)[0].size(), 6U);
  EXPECT_EQ(sequence.Part(0, 9, /*tail=*/true)[0].back(), 49U);
}

TEST_F(WaveSequenceTest, AWaveIsWhatItsListsHaveOfOne) {
  SetGroups(3, 40);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  EXPECT_EQ(sequence.wave_tbs(), 9U) << "three of each, not eight in all";
  EXPECT_EQ(Flat(sequence.Part(0, 2, false)).size(), 9U);
}

TEST_F(WaveSequenceTest, FewGroupsAreCutInTheirMiddle) {
  SetGroups(4, 100);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  const WaveSequence::Lists part = sequence.Part(0, 4, /*tail=*/true);
  ASSERT_EQ(part.size(), 4U);
  EXPECT_EQ(part[1], (std::vector<uint32_t>{100, 101, 102, 103, 199}));
}

TEST_F(WaveSequenceTest, OfManyGroupsWholeOnesAreLeftOut) {
  SetGroups(40, 4);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  EXPECT_EQ(sequence.wave_tbs(), 8U);
  const WaveSequence::Lists part = sequence.Part(0, 4, /*tail=*/true);
  ASSERT_EQ(part.size(), 5U);
  EXPECT_EQ(part[3], (std::vector<uint32_t>{12, 13, 14, 15}));
  EXPECT_EQ(part[4], (std::vector<uint32_t>{156, 157, 158, 159}));
}

TEST_F(WaveSequenceTest, ATbIsInAPartOnceHoweverFarThePartGoes) {
  SetGrid(83);
  const WaveSequence sequence(request_, {.sms = 2, .tbs_per_sm = 4});
  const std::vector<uint32_t> all = Flat(sequence.Part(0, 1000, /*tail=*/true));
  EXPECT_EQ(all.size(), 83U);
  EXPECT_EQ(std::set<uint32_t>(all.begin(), all.end()).size(), 83U);
}

TEST_F(WaveSequenceTest, WhatOnlyAWholeLaunchShowsIsNamed) {
  SetGrid(83);
  EXPECT_EQ(WhyOnlyWhole(request_, false), "");
  EXPECT_NE(WhyOnlyWhole(request_, true), "");
  launch_.cluster = {2, 1, 1};
  EXPECT_NE(WhyOnlyWhole(request_, false), "");
  launch_.cluster = {1, 1, 1};
  const auto spins = ptx::Parse(R"(.version 7.0
.target sm_70
.address_size 64
.entry k(.param .u64 a) {
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
AGAIN:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ret;
})",
                                "k.ptx");
  launch_.kernel = spins->kernels.front().get();
  EXPECT_NE(WhyOnlyWhole(request_, false), "");
}

}  // namespace wave_sequence_test
}  // namespace flagstone
