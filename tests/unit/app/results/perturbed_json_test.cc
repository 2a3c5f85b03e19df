#include "app/results/perturbed_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flagstone {
namespace perturbed_json_test {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

Json Once(double cycles) {
  return {{"perturbed", {{"runs", Json::array()}}}, {"totals", {{"cycles", cycles}}}};
}

Json Perturbed(const std::vector<double>& cycles) {
  std::vector<Json> records;
  for (const double count : cycles) {
    records.push_back(Once(count));
    records.back()["setting"] = "a setting";
  }
  return WithSettings(std::move(records));
}

std::optional<double> Ratio(const Json& run, const Json& baseline) {
  if (!baseline.is_object()) return std::nullopt;
  return run["totals"]["cycles"].get<double>() / baseline["totals"]["cycles"].get<double>();
}

TEST(PerturbedJson, IsTheRunAsItIsWithAllSettingsBesideIt) {
  const Json run = Perturbed({100, 102, 104});
  EXPECT_EQ(run["totals"]["cycles"], 100);
  EXPECT_FALSE(run.contains("setting"));
  EXPECT_EQ(run["perturbed"]["settings"], 3);
  EXPECT_EQ(run["perturbed"]["cycles"], Json({{"mean", 102}, {"deviation", 2}}));
  EXPECT_EQ(run["perturbed"]["runs"][2]["totals"]["cycles"], 104);
  EXPECT_EQ(run["perturbed"]["runs"][2]["setting"], "a setting");
  EXPECT_FALSE(run["perturbed"]["runs"][2].contains("perturbed"));
}

// 100 / 50 and 220 / 110: cycles that vary together leave no deviation.
TEST(PerturbedJson, PairsFiguresBySetting) {
  EXPECT_THAT(FiguresOf(Perturbed({100, 220}), Perturbed({50, 110}), Ratio),
              ElementsAre(DoubleEq(2), DoubleEq(2)));
}

TEST(PerturbedJson, OfRunsWithoutSettingsIsTheFigureItself) {
  EXPECT_THAT(FiguresOf(Once(100), Once(50), Ratio), ElementsAre(DoubleEq(2)));
}

TEST(PerturbedJson, WhereOneHasSettingsIsTheFigureOfTheRunsAsTheyAre) {
  EXPECT_THAT(FiguresOf(Perturbed({100, 220}), Once(50), Ratio), ElementsAre(DoubleEq(2)));
  EXPECT_THAT(FiguresOf(Once(100), Perturbed({50, 110}), Ratio), ElementsAre(DoubleEq(2)));
}

TEST(PerturbedJson, HasNoFigureWhereOneIsMissing) {
  EXPECT_THAT(FiguresOf(Perturbed({100, 220}), nullptr, Ratio), IsEmpty());
  EXPECT_THAT(FiguresOf(nullptr, Once(50), Ratio), IsEmpty());
}

TEST(PerturbedJson, ComparesWithTheBaselineOfTheSameSetting) {
  const Json compared = ComparedWith(Perturbed({100, 100}), Perturbed({110, 130}));
  EXPECT_DOUBLE_EQ(compared["speedup"]["mean"], 1.2);
  EXPECT_NEAR(compared["speedup"]["deviation"], 0.141421, 1e-6);
  EXPECT_EQ(compared["speedup"]["equal"], true);
  EXPECT_EQ(ComparedWith(Perturbed({100, 100}), Perturbed({120, 121}))["speedup"]["equal"], false);
}

TEST(PerturbedJson, OfOneSettingSaysNothingOfDeviations) {
  const Json compared = ComparedWith(Once(100), Once(120));
  EXPECT_DOUBLE_EQ(compared["speedup"]["mean"], 1.2);
  EXPECT_TRUE(compared["speedup"]["deviation"].is_null());
  EXPECT_TRUE(compared["speedup"]["equal"].is_null());
  EXPECT_TRUE(ComparedWith(Once(100), nullptr).is_null());
}

}  // namespace perturbed_json_test
}  // namespace flagstone
