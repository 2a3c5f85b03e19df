#include "app/cli/grid_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/cli/table.h"
#include "base/spread.h"

namespace flagstone {
namespace {

using PolicyValues = std::vector<std::optional<double>>;

constexpr int kDecimals = 3;  // of a figure without a deviation

bool Relative(const ExperimentGrid::Table& table) {
  return table.metric.relative != ExperimentMetric::Relative::kNone;
}

// Two deviations apart from 1, or it is said to be equal.
std::string MeanText(const std::optional<double>& value, double deviation, bool relative) {
  if (!value) return "-";
  if (deviation != 0) {
    const Spread spread = {*value, deviation, 0};
    return spread.ToText(kDecimals) + (relative && spread.IsEqual() ? " (equal)" : "");
  }
  const bool count = *value == std::floor(*value) && std::abs(*value) >= 1000;
  return count ? Grouped(static_cast<uint64_t>(*value)) : fmt::format("{:.{}f}", *value, kDecimals);
}

std::string OneTable(const ExperimentGrid& grid, const ExperimentGrid::Table& table, size_t machine,
                     const std::vector<Json>& runs) {
  // The baseline relative to itself is no news.
  std::vector<size_t> shown = table.columns;
  if (Relative(table)) std::erase(shown, grid.baseline);
  Table text;
  text.AddColumn("set", Table::Align::kLeft);
  text.AddColumn("workload", Table::Align::kLeft);
  for (const size_t v : shown) text.AddColumn(grid.variants[v], Table::Align::kRight);
  const auto add = [&](const std::string& set, const std::string& name, const PolicyValues& values,
                       const std::vector<double>& deviations) {
    std::vector<std::string> cells = {set, name};
    for (const size_t v : shown) {
      cells.push_back(MeanText(values[v], deviations[v], table.metric.Multiplies()));
    }
    text.AddRow(std::move(cells));
  };
  const GridTable figures = MakeGridTable(grid, table, machine, runs);
  size_t row = 0;
  for (const GridTable::Mean& mean : figures.means) {
    if (row != 0) text.AddRule();
    bool first = true;
    for (; row < figures.rows.size() && figures.rows[row].set == mean.set; ++row) {
      add(first ? mean.set : "", figures.rows[row].workload, figures.rows[row].values,
          figures.rows[row].deviations);
      first = false;
    }
    add(first ? mean.set : "", "mean", mean.ours, mean.deviations);
    const bool published = std::any_of(mean.theirs.begin(), mean.theirs.end(),
                                       [](const auto& value) { return value.has_value(); });
    if (published) {
      add("", "mean, theirs", mean.theirs, std::vector<double>(grid.variants.size()));
    }
  }
  std::string causes;
  for (const GridTable::Mean& mean : figures.means) {
    if (!mean.cause.empty()) causes += fmt::format("{}: {}\n", mean.set, mean.cause);
  }
  return fmt::format("\n{}: {}{}\n{}{}", grid.machines[machine], table.title,
                     Relative(table) ? ", relative to " + grid.variants[grid.baseline] : "",
                     text.ToString(), causes);
}

// Deviations are null where there is one setting.
Json ByVariant(const ExperimentGrid& grid, const ExperimentGrid::Table& table,
               const std::vector<double>& deviations) {
  Json json = Json::object();
  for (const size_t v : table.columns) {
    json[grid.variants[v]] = deviations[v] == 0 ? Json(nullptr) : Json(deviations[v]);
  }
  return json;
}

Json ByVariant(const ExperimentGrid& grid, const ExperimentGrid::Table& table,
               const PolicyValues& values) {
  Json json = Json::object();
  for (const size_t v : table.columns) {
    json[grid.variants[v]] = values[v] ? Json(*values[v]) : Json(nullptr);
  }
  return json;
}

}  // namespace

std::string GridText(const ExperimentGrid& grid, const std::vector<Json>& runs) {
  std::string text;
  for (const ExperimentGrid::Table& table : grid.tables) {
    for (size_t m = 0; m < grid.machines.size(); ++m) text += OneTable(grid, table, m, runs);
  }
  return text;
}

Json GridJson(const ExperimentGrid& grid, const std::vector<Json>& runs) {
  Json tables = Json::array();
  for (const ExperimentGrid::Table& table : grid.tables) {
    for (size_t m = 0; m < grid.machines.size(); ++m) {
      const GridTable figures = MakeGridTable(grid, table, m, runs);
      Json json = {{"table", table.name},
                   {"title", table.title},
                   {"figure", table.figure},
                   {"machine", grid.machines[m]},
                   {"metric", table.metric.Heading()},
                   {"baseline", Relative(table) ? Json(grid.variants[grid.baseline]) : Json()},
                   {"rows", Json::array()},
                   {"means", Json::array()}};
      for (const GridTable::Row& row : figures.rows) {
        json["rows"].push_back({{"set", row.set},
                                {"workload", row.workload},
                                {"values", ByVariant(grid, table, row.values)},
                                {"deviations", ByVariant(grid, table, row.deviations)}});
      }
      for (const GridTable::Mean& mean : figures.means) {
        json["means"].push_back({{"set", mean.set},
                                 {"ours", ByVariant(grid, table, mean.ours)},
                                 {"deviations", ByVariant(grid, table, mean.deviations)},
                                 {"theirs", ByVariant(grid, table, mean.theirs)},
                                 {"cause", mean.cause}});
      }
      tables.push_back(std::move(json));
    }
  }
  return tables;
}

}  // namespace flagstone
