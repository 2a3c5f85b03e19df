#include "app/flow/sample/extrapolation.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace extrapolation_test {

// Totals at the marks of waves of so many cycles, each of which reads ten lines and has 400
// instructions: by the TB of one instruction, a wave is 400 TBs.
SampledWaves Waves(const std::vector<uint64_t>& cycles, double left_out) {
  SampledWaves waves;
  waves.left_out = 400 * left_out;
  LaunchStatistics totals;
  totals.cycles = 1000;
  waves.at_marks.push_back(totals);
  for (const uint64_t of_wave : cycles) {
    for (size_t part = 0; part < SampledWaves::kMarks; ++part) {
      totals.cycles += of_wave / SampledWaves::kMarks;
      totals.dram.reads += part == 0 ? 10 : 0;
      totals.warp_instructions += 100;
      waves.at_marks.push_back(totals);
    }
  }
  return waves;
}

LaunchStatistics Part() {
  LaunchStatistics part;
  part.cycles = 5000;
  part.dram.reads = 50;
  part.tbs_per_sm = 6;
  return part;
}

TEST(Extrapolation, EqualWavesGiveTheWholeWithoutAnInterval) {
  const std::vector<SampledWaves> waves = {Waves({400, 400, 400}, 7)};
  const Estimate estimate = Extrapolate(Part(), waves, {});
  EXPECT_EQ(estimate.totals.cycles, 5000U + 7 * 400);
  EXPECT_EQ(estimate.totals.dram.reads, 50U + 7 * 10);
  EXPECT_EQ(estimate.totals.warp_instructions, 7U * 400);
  EXPECT_EQ(estimate.half_widths.cycles, 0U);
  EXPECT_EQ(estimate.totals.tbs_per_sm, 6U) << "no sum";
}

TEST(Extrapolation, WavesThatDifferGiveAnIntervalThatMoreWavesNarrow) {
  const std::vector<SampledWaves> few = {Waves({400, 480, 400, 480}, 10)};
  const std::vector<SampledWaves> many = {
      Waves({400, 480, 400, 480, 400, 480, 400, 480, 400, 480, 400, 480}, 10)};
  const Estimate of_few = Extrapolate(Part(), few, {});
  const Estimate of_many = Extrapolate(Part(), many, {});
  EXPECT_NEAR(static_cast<double>(of_few.totals.cycles), 5000 + 10 * 440, 20);
  EXPECT_GT(of_few.half_widths.cycles, 200U);
  EXPECT_LT(of_many.half_widths.cycles, of_few.half_widths.cycles / 2);
  EXPECT_NEAR(of_few.CyclesPercent(),
              100.0 * static_cast<double>(of_few.half_widths.cycles) /
                  static_cast<double>(of_few.totals.cycles),
              1e-9);
}

TEST(Extrapolation, EachPartOfALaunchIsExtrapolatedByItsOwnWaves) {
  const std::vector<SampledWaves> waves = {Waves({400, 400}, 3), Waves({800, 800}, 5)};
  EXPECT_EQ(Extrapolate(Part(), waves, {}).totals.cycles, 5000U + 3 * 400 + 5 * 800);
}

TEST(Extrapolation, TbsWithMoreToDoTakeMoreAndWhatIsNotKnownOfItWidensTheInterval) {
  const std::vector<SampledWaves> waves = {Waves({400, 400, 400}, 10)};
  const Estimate estimate = Extrapolate(Part(), waves, {.mean = 1.02, .deviation = 0.01});
  EXPECT_EQ(estimate.totals.cycles, 5000U + 4080);
  EXPECT_NEAR(static_cast<double>(estimate.half_widths.cycles), 1.96 * 0.01 * 4000, 1);
}

TEST(Extrapolation, WavesThatGetSlowerGiveAnIntervalAsWideAsTheyDrift) {
  const std::vector<SampledWaves> waves = {
      Waves({400, 400, 400, 400, 400, 440, 440, 440, 440, 440}, 10)};
  const Estimate estimate = Extrapolate(Part(), waves, {});
  EXPECT_GT(estimate.half_widths.cycles, 10U * 35);
}

}  // namespace extrapolation_test
}  // namespace flagstone
