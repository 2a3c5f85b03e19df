#include "app/cli/synth_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/synth_fpga.h"
#include "app/cli/synth_report.h"

namespace flagstone {
namespace synth_tables_test {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

SynthResult Result(const SynthBlock& block) {
  SynthResult result;
  result.block = block;
  result.flip_flops = 147;
  result.area_um2 = 1360.3;
  result.fmax_mhz = 1948;
  result.leakage_uw = 20;
  result.default_power_uw = 1460;
  return result;
}

// The widest line; pages have 100 columns.
size_t Width(const std::string& text) {
  size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

TEST(SynthTables, TellAMeasuredEnergyFromAnEstimate) {
  SynthResult result = Result(SelectSynthBlocks({"paver_tb_queue"}).at(0));  // 1,200 MHz
  EXPECT_THAT(SynthText({result}), HasSubstr(" ~1.20 "));                    // 1,440 uW / 1,200 MHz
  result.energy_pj = 3.5;
  EXPECT_THAT(SynthText({result}), ContainsRegex("[^~]3\\.50 "));
  result.energy_pj.reset();
  for (const double power : {0.0, 19.999999, 20.0, 20.000001}) {  // leakage is 20
    result.default_power_uw = power;
    EXPECT_THAT(SynthText({result}), Not(HasSubstr("~")));
  }
}

TEST(SynthTables, MapEachBlockForEachClock) {
  const auto points = AtEachPoint(SelectSynthBlocks({"paver_task_stealer"}));
  ASSERT_EQ(points.size(), 3u * 4u);
  EXPECT_EQ(points[0].clock_mhz, 700);
  EXPECT_EQ(points[3].clock_mhz, 1400);
  EXPECT_EQ(points[3].parameters[0].value, 15u);
  EXPECT_EQ(points[4].parameters[0].value, 28u);
  std::vector<SynthResult> results;
  for (const SynthBlock& block : points) {
    results.push_back(Result(block));
    results.back().area_um2 = block.clock_mhz + block.parameters[0].value;
  }
  const std::string text = PointsText(results);
  EXPECT_THAT(text, ContainsRegex("NumSm=28 +728 +1,948 +1,028 +1,948 +1,228 +1,948 +1,428"));
  EXPECT_LE(Width(text), 100u);
}

TEST(SynthTables, NameAParameterThatNoRowHas) {
  SynthBlock block = SelectSynthBlocks({"paver_tb_scheduler"}).at(0);
  block.parameters.push_back({"AddrWidth", 32});
  EXPECT_EQ(ParameterText(block), "NumSm=15 Descriptors=4 AddrWidth=32");
}

TEST(SynthTables, SetTheWrapperOfAnFpgaApart) {
  FpgaResult result;
  result.block = SelectSynthBlocks({"paver_tb_scheduler"}).at(0);
  result.block.parameters.push_back({"AddrWidth", 64});
  result.luts = 5000;
  result.logic_cells = 3840;
  result.wrapper_flip_flops = 634;
  result.fmax_mhz = 61.64;
  EXPECT_THAT(FpgaText({result}), ContainsRegex("3,840 +50\\.0 +634 +- "));
  result.fits = true;
  EXPECT_THAT(FpgaText({result}), ContainsRegex("3,840 +50\\.0 +634 +61\\.6 "));
  EXPECT_LE(Width(FpgaText({result})), 100u);
}

TEST(SynthReport, PutsThePapersFiguresBesideOurs) {
  std::vector<SynthResult> results;
  std::map<size_t, WaveEnergy> energies;
  for (const SynthBlock& block : ReportBlocks()) {
    if (!block.operation.empty()) {
      WaveEnergy& measured = energies[results.size()];
      measured.energy.internal_pj = 40;
      measured.energy.switching_pj = 21;
      measured.energy.clock_pj = 500;
      measured.energy.cycles = 100;
      measured.energy.operations = 4;
      measured.kernel = "laplace3d";
    }
    results.push_back(Result(block));
  }
  EXPECT_EQ(energies.size(), 4u);  // PAVER for 15 SMs, CAPS in each storage
  const std::string text = ReportText(results, energies);
  EXPECT_THAT(text, ContainsRegex("state of an SM, B +18 +18 "));
  EXPECT_THAT(text, ContainsRegex("of 80 SMs, B +1,440 +1,440 "));
  EXPECT_THAT(text, ContainsRegex("adders, comparators, dividers +3, 1, 1 +- "));
  EXPECT_THAT(text, ContainsRegex("CAPS: an SM, mm2 +0\\.018 +0\\.0014 +RAM, 1948 of 1400 MHz"));
  EXPECT_THAT(text, ContainsRegex("static, uW +550 +20 "));
  EXPECT_THAT(text, ContainsRegex("an access, pJ +15\\.07 +15\\.25 +RAM, laplace3d"));  // 61 / 4
  EXPECT_THAT(text, ContainsRegex("a cycle, pJ +- +5\\.61 +RAM, laplace3d, 5\\.00 of it clock"));
  EXPECT_THAT(text, ContainsRegex("a cycle, pJ +- +1\\.03 +RAM, OpenSTA"));  // 1,440 uW / 1,400 MHz
  EXPECT_LE(Width(text), 100u);
}

}  // namespace synth_tables_test
}  // namespace flagstone
