// The built-in library beside the figures of the open 45 nm library that it is a model of:
// synth/library/published_45nm.csv. Prints each delay and slope that is compared.
#include <fmt/core.h>
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
namespace published_figures_test {

// What the built-in library may be off, in percent of the published figure.
constexpr double kArea = 5, kLeakage = 5, kDelay = 25, kSlope = 25, kElsewhere = 30,
                 kCapacitance = 15;

// A row's numbers; NAN where the figure was not looked up.
struct Row {
  std::string cell, from, to;
  double area_um2 = NAN, leakage_nw = NAN, capacitance_ff = NAN, slew_ns = NAN, load_ff = NAN;
  std::map<std::string, double> delay_ns, slope_ns;  // by edge, "rise" or "fall"
};

std::vector<Row> PublishedRows(const std::string& name = "published_45nm.csv") {
  std::istringstream file(ReadFile(DataFolder() / "synth/library" / name));
  std::vector<Row> rows;
  bool head = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> words;
    std::istringstream cut(line);
    for (std::string word; std::getline(cut, word, ',');) words.push_back(word);
    words.resize(12);
    const auto number = [&](size_t i) { return words[i].empty() ? NAN : std::stod(words[i]); };
    if (head) {
      rows.push_back({words[0],
                      words[3],
                      words[5],
                      number(1),
                      number(2),
                      number(4),
                      number(6),
                      number(7),
                      {{"rise", number(8)}, {"fall", number(9)}},
                      {{"rise", number(10)}, {"fall", number(11)}}});
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

// The value of a table of slope and load. The built-in library is linear in both.
double At(const LibertyGroup& table, double slew, double load) {
  const std::vector<double> slews = Numbers(table.Value("index_1"));
  const std::vector<double> loads = Numbers(table.Value("index_2"));
  const auto& rows = table.Find("values")->values;
  const auto along = [](const std::vector<double>& index, double value) {
    return (value - index.front()) / (index.back() - index.front());
  };
  const double x = along(slews, slew), y = along(loads, load);
  const std::vector<double> low = Numbers(rows.at(0)), high = Numbers(rows.at(rows.size() - 1));
  return std::lerp(std::lerp(low.front(), low.back(), y), std::lerp(high.front(), high.back(), y),
                   x);
}

const LibertyGroup* Child(const LibertyGroup& parent, const std::string& name,
                          const std::string& argument) {
  for (const LibertyGroup& group : parent.groups) {
    if (group.name == name && group.arguments.at(0) == argument) return &group;
  }
  return nullptr;
}

// What the built-in library has for a row, in ns, of the tables of that name: cell_rise, ...
double Value(const LibertyGroup& library, const Row& row, const std::string& name) {
  const bool setup = row.to == "setup";
  const LibertyGroup* cell = Child(library, "cell", row.cell);
  const LibertyGroup* pin = Child(*cell, "pin", setup ? row.from : row.to);
  for (const LibertyGroup& timing : pin->groups) {
    if (timing.name != "timing") continue;
    if (setup ? timing.Value("timing_type") != "setup_rising"
              : timing.Value("related_pin") != row.from)
      continue;
    for (const LibertyGroup& table : timing.groups) {
      if (table.name != name) continue;
      return setup ? Numbers(table.Value("values")).at(0) : At(table, row.slew_ns, row.load_ff);
    }
  }
  ADD_FAILURE() << row.cell << " has no " << name << " from " << row.from << " to " << row.to;
  return NAN;
}

double Percent(double ours, double theirs) { return 100 * (ours / theirs - 1); }

TEST(PublishedFigures, AreasLeakageAndCapacitancesAgree) {
  const CellLibrary library = ReadCellLibrary("");
  std::map<std::string, std::map<std::string, double>> capacitances;  // by cell and input
  for (const Row& row : PublishedRows()) {
    const LibraryCell* cell = library.Find(row.cell);
    ASSERT_NE(cell, nullptr) << row.cell;
    EXPECT_LE(std::abs(Percent(cell->area_um2, row.area_um2)), kArea) << row.cell;
    if (!std::isnan(row.leakage_nw)) {
      EXPECT_LE(std::abs(Percent(cell->leakage_nw, row.leakage_nw)), kLeakage) << row.cell;
    }
    if (!std::isnan(row.capacitance_ff)) capacitances[row.cell][row.from] = row.capacitance_ff;
  }
  EXPECT_GE(capacitances.size(), 20u);
  // The model has one capacitance for all inputs of a gate: its mean is compared.
  for (const auto& [cell, inputs] : capacitances) {
    double ours = 0, theirs = 0;
    for (const auto& [input, capacitance] : inputs) {
      ours += library.Find(cell)->Pin(input)->capacitance_ff;
      theirs += capacitance;
    }
    EXPECT_LE(std::abs(Percent(ours, theirs)), kCapacitance) << cell;
  }
}

TEST(PublishedFigures, DelaysAndSlopesAgree) {
  const auto path = DataFolder() / "synth/library/teaching_45nm.lib";
  const LibertyGroup library = ParseLiberty(ReadFile(path), path.string());
  size_t delays = 0, slopes = 0;
  const auto compare = [&](const Row& row, const std::string& table, double theirs, double bound) {
    const double ours = Value(library, row, table), off = Percent(ours, theirs);
    const std::string what = fmt::format(
        "{} {} {} {}: slope {:.1f} ps, load {:.2f} fF, ours {:.1f} ps, theirs {:.1f} ps, {:+.0f} %",
        row.cell, row.from, row.to, table, row.slew_ns * 1000, row.load_ff, ours * 1000,
        theirs * 1000, off);
    fmt::print("{}\n", what);
    EXPECT_LE(std::abs(off), bound) << what;
  };
  for (const Row& row : PublishedRows()) {
    const bool setup = row.to == "setup";
    for (const auto& [edge, theirs] : row.delay_ns) {
      compare(row, setup ? edge + "_constraint" : "cell_" + edge, theirs, kDelay);
      ++delays;
    }
    for (const auto& [edge, theirs] : row.slope_ns) {
      if (std::isnan(theirs)) continue;
      compare(row, edge + "_transition", theirs, kSlope);
      ++slopes;
    }
  }
  EXPECT_GE(delays, 340u);
  for (const Row& row : PublishedRows("published_45nm_elsewhere.csv")) {
    for (const auto& [edge, theirs] : row.delay_ns) {
      compare(row, "cell_" + edge, theirs, kElsewhere);
      ++delays;
    }
  }
  EXPECT_GE(delays, 380u);
  EXPECT_GE(slopes, 70u);
}

}  // namespace published_figures_test
}  // namespace flagstone
