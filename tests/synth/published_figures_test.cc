// The built-in library beside the figures of the open 45 nm library that it is a model of:
// synth/library/published_45nm.csv. Prints each delay that is compared; docs/synth.md sums them up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/paths.h"
#include "synth/cell_library.h"
#include "synth/liberty.h"

namespace flagstone {
namespace {

// Arcs whose delay is off by more than 25 % at one of their points, and by how much, in percent of
// the published delay. The model has one resistance and one delay for all inputs of a cell, and was
// calibrated on the mean of an inverter's two edges: rising outputs are too fast. An arc that is
// missing here must be within 25 %; one that is here must be off by what stands here.
const std::map<std::string, int> kKnownMisses = {
    {"AOI21_X1 A ZN fall", 32},   {"AOI21_X1 A ZN rise", -51},      {"AOI21_X1 B1 ZN rise", -36},
    {"BUF_X1 A Z fall", -25},     {"CLKGATE_X1 E setup rise", -31}, {"FA_X1 A CO rise", 41},
    {"FA_X1 A S fall", -31},      {"FA_X1 A S rise", -36},          {"INV_X1 A ZN fall", 25},
    {"INV_X1 A ZN rise", -30},    {"INV_X4 A ZN rise", -31},        {"MUX2_X1 A Z fall", -31},
    {"MUX2_X1 S Z fall", -29},    {"NAND2_X1 A1 ZN rise", -27},     {"NAND2_X1 A2 ZN rise", -32},
    {"NAND3_X1 A3 ZN rise", -31}, {"NOR2_X1 A1 ZN fall", 46},       {"NOR2_X1 A1 ZN rise", -35},
    {"NOR2_X1 A2 ZN rise", -38},  {"NOR3_X1 A1 ZN fall", 56},       {"NOR3_X1 A1 ZN rise", -34},
    {"NOR3_X1 A3 ZN fall", 38},   {"NOR3_X1 A3 ZN rise", -45},      {"OAI21_X1 B1 ZN rise", -37},
    {"OR2_X1 A1 ZN fall", -29},   {"OR2_X1 A1 ZN rise", 37},        {"OR2_X1 A2 ZN fall", -31},
    {"OR2_X1 A2 ZN rise", 29},    {"XOR2_X1 A Z fall", -48},        {"XOR2_X1 A Z rise", -41},
};

struct Row {
  std::string cell, from, to;
  double area_um2 = 0, leakage_nw = 0, capacitance_ff = 0, slew_ns = 0, load_ff = 0;
  std::map<std::string, double> delay_ns;  // by edge, "rise" or "fall"
};

std::vector<Row> PublishedRows() {
  std::istringstream file(ReadFile(DataFolder() / "synth/library/published_45nm.csv"));
  std::vector<Row> rows;
  bool head = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> words;
    std::istringstream cut(line);
    for (std::string word; std::getline(cut, word, ',');) words.push_back(word);
    if (head) {
      rows.push_back({words.at(0),
                      words.at(3),
                      words.at(5),
                      std::stod(words.at(1)),
                      std::stod(words.at(2)),
                      std::stod(words.at(4)),
                      std::stod(words.at(6)),
                      words.at(7).empty() ? 0 : std::stod(words.at(7)),
                      {{"rise", std::stod(words.at(8))}, {"fall", std::stod(words.at(9))}}});
    }
    head = true;
  }
  return rows;
}

std::vector<double> Numbers(std::string_view text) {
  std::vector<double> numbers;
  std::istringstream cut{std::string(text)};
  for (std::string word; std::getline(cut, word, ',');) numbers.push_back(std::stod(word));
  return numbers;
}

// The value of a table of slope and load, linear between its corners.
double At(const LibertyGroup& table, double slew, double load) {
  const std::vector<double> slews = Numbers(table.Value("index_1"));
  const std::vector<double> loads = Numbers(table.Value("index_2"));
  const auto& rows = table.Find("values")->values;
  const auto along = [](const std::vector<double>& index, double value) {
    return (value - index.at(0)) / (index.at(1) - index.at(0));
  };
  const double x = along(slews, slew), y = along(loads, load);
  const std::vector<double> low = Numbers(rows.at(0)), high = Numbers(rows.at(1));
  return std::lerp(std::lerp(low.at(0), low.at(1), y), std::lerp(high.at(0), high.at(1), y), x);
}

const LibertyGroup* Child(const LibertyGroup& parent, const std::string& name,
                          const std::string& argument) {
  for (const LibertyGroup& group : parent.groups) {
    if (group.name == name && group.arguments.at(0) == argument) return &group;
  }
  return nullptr;
}

// What the built-in library has for a row, in ns.
double Delay(const LibertyGroup& library, const Row& row, const std::string& edge) {
  const bool setup = row.to == "setup";
  const LibertyGroup* cell = Child(library, "cell", row.cell);
  const LibertyGroup* pin = Child(*cell, "pin", setup ? row.from : row.to);
  for (const LibertyGroup& timing : pin->groups) {
    if (timing.name != "timing") continue;
    if (setup ? timing.Value("timing_type") != "setup_rising"
              : timing.Value("related_pin") != row.from)
      continue;
    for (const LibertyGroup& table : timing.groups) {
      if (setup && table.name == edge + "_constraint") {
        return Numbers(table.Value("values")).at(0);
      }
      if (!setup && table.name == "cell_" + edge) return At(table, row.slew_ns, row.load_ff);
    }
  }
  ADD_FAILURE() << row.cell << " has no " << edge << " from " << row.from << " to " << row.to;
  return NAN;
}

double Percent(double ours, double theirs) { return 100 * (ours / theirs - 1); }

TEST(PublishedFigures, AreasLeakageAndCapacitancesAgree) {
  const CellLibrary library = ReadCellLibrary("");
  std::map<std::string, std::map<std::string, double>> capacitances;  // by cell and input
  for (const Row& row : PublishedRows()) {
    const LibraryCell* cell = library.Find(row.cell);
    ASSERT_NE(cell, nullptr) << row.cell;
    EXPECT_LE(std::abs(Percent(cell->area_um2, row.area_um2)), 5) << row.cell;
    EXPECT_LE(std::abs(Percent(cell->leakage_nw, row.leakage_nw)), 5) << row.cell;
    capacitances[row.cell][row.from] = row.capacitance_ff;
  }
  // The model has one capacitance for all inputs of a gate: its mean is compared.
  for (const auto& [cell, inputs] : capacitances) {
    double ours = 0, theirs = 0;
    for (const auto& [input, capacitance] : inputs) {
      ours += library.Find(cell)->Pin(input)->capacitance_ff;
      theirs += capacitance;
    }
    EXPECT_LE(std::abs(Percent(ours, theirs)), 15) << cell;
  }
}

TEST(PublishedFigures, DelaysAgreeWithin25PercentButForKnownMisses) {
  const auto path = DataFolder() / "synth/library/teaching_45nm.lib";
  const LibertyGroup library = ParseLiberty(ReadFile(path), path.string());
  std::map<std::string, double> worst;  // difference by arc
  for (const Row& row : PublishedRows()) {
    for (const auto& [edge, theirs] : row.delay_ns) {
      const double ours = Delay(library, row, edge), off = Percent(ours, theirs);
      double& known = worst[fmt::format("{} {} {} {}", row.cell, row.from, row.to, edge)];
      if (std::abs(off) > std::abs(known)) known = off;
      fmt::print(
          "{} {} {} {}: slope {:.1f} ps, load {:.2f} fF, ours {:.1f} ps, theirs {:.1f} ps, "
          "{:+.0f} %\n",
          row.cell, row.from, row.to, edge, row.slew_ns * 1000, row.load_ff, ours * 1000,
          theirs * 1000, off);
    }
  }
  EXPECT_GE(worst.size(), 50u);
  for (const auto& [arc, off] : worst) {
    const auto known = kKnownMisses.find(arc);
    if (known == kKnownMisses.end()) {
      EXPECT_LE(std::abs(off), 25) << arc << " is off by " << off << " %";
    } else {
      EXPECT_GT(std::abs(off), 25) << arc << " is off by " << off << " %: no miss any more";
      EXPECT_NEAR(off, known->second, 0.51) << arc;
    }
  }
}

}  // namespace
}  // namespace flagstone
