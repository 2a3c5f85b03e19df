// The costs of the leaves that are quick to map, against synth/budgets.toml.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdlib>

#include "base/paths.h"
#include "synth/synth.h"
#include "synth/yosys.h"

namespace flagstone {
namespace budgets_test {

// Leaves up to this size take seconds each.
constexpr double kQuickArea = 2000;

std::string Label(const SynthBlock& block) {
  std::string label(block.name);
  for (const SynthParameter& parameter : block.parameters) {
    label += fmt::format(" {}={}", parameter.name, parameter.value);
  }
  return label;
}

TEST(Budgets, AreKeptByTheQuickLeaves) {
  const toml::table budgets = toml::parse_file((DataFolder() / "synth/budgets.toml").string());
  std::vector<SynthBlock> quick;
  for (const SynthBlock& block : SynthBlocks()) {
    // Of the tops, and of all queues together, only CAPS has a budget: they are too slow for here.
    if ((block.top && !block.name.starts_with("caps_")) || block.name == "paver_queue_bank" ||
        block.name == "tb_range_bank") {
      continue;
    }
    const auto area = budgets[Label(block)]["area_um2"].value<double>();
    ASSERT_TRUE(area.has_value()) << Label(block) << " has no budget: see synth/make_budgets";
    if (*area < kQuickArea) quick.push_back(block);
  }
  ASSERT_GE(quick.size(), 10u);
  const ScratchFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  for (const SynthResult& result : Synthesize(quick, ReadCellLibrary(""))) {
    const std::string label = Label(result.block);
    const auto budget = budgets[label];
    const double area = *budget["area_um2"].value<double>();
    EXPECT_NEAR(result.area_um2, area, area * 0.02) << label;
    EXPECT_EQ(result.block.clock_mhz, *budget["clock_mhz"].value<double>()) << label;
    EXPECT_GE(result.fmax_mhz, *budget["fmax_mhz"].value<double>() * 0.98) << label;
    EXPECT_EQ(static_cast<int64_t>(result.flip_flops), *budget["flip_flops"].value<int64_t>())
        << label;
  }
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace budgets_test
}  // namespace flagstone
