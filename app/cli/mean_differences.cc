#include "app/cli/mean_differences.h"

#include <fmt/core.h>

#include <cmath>
#include <map>

#include "app/cli/table.h"

namespace flagstone {
namespace {

struct Mean {
  double sum = 0;
  uint32_t count = 0;

  void Add(double difference) {
    sum += std::abs(difference);
    ++count;
  }
};

using Means = std::vector<Mean>;  // per metric

Json ToJson(const Experiment& experiment, const std::string& machine, const Means& means) {
  Json row = {{"machine", machine}, {"mean_absolute_difference", Json::object()}};
  for (size_t m = 0; m < means.size(); ++m) {
    if (means[m].count == 0) continue;
    row["mean_absolute_difference"][experiment.metrics[m].Heading()] =
        means[m].sum / means[m].count;
  }
  return row;
}

}  // namespace

Json MeanDifferences(const Experiment& experiment, const Json& figures) {
  const size_t metrics = experiment.metrics.size();
  std::map<std::string, Means> by_machine;
  Means all(metrics);
  std::map<std::string, uint32_t> cases;
  for (size_t c = 0; c < experiment.cases.size(); ++c) {
    const std::string& machine = experiment.cases[c].options.machine.name;
    ++cases[machine];
    Means& means = by_machine.try_emplace(machine, metrics).first->second;
    for (size_t m = 0; m < metrics; ++m) {
      const Json& difference = figures.at(c * metrics + m)["difference"];
      if (difference.is_null()) continue;
      means[m].Add(difference.get<double>());
      all[m].Add(difference.get<double>());
    }
  }
  Json rows = Json::array();
  for (const auto& [machine, means] : by_machine) {
    if (cases[machine] > 1) rows.push_back(ToJson(experiment, machine, means));
  }
  if (!rows.empty()) rows.push_back(ToJson(experiment, "all", all));
  return rows;
}

std::string MeanDifferencesText(const Experiment& experiment, const Json& means) {
  if (means.empty()) return "";
  Table table;
  table.AddColumn("mean difference, either way", Table::Align::kLeft);
  for (const Json& row : means) {
    table.AddColumn(row["machine"].get<std::string>(), Table::Align::kRight);
  }
  for (const ExperimentMetric& metric : experiment.metrics) {
    std::vector<std::string> cells = {metric.Heading()};
    for (const Json& row : means) {
      const Json& of = row["mean_absolute_difference"];
      const auto found = of.find(metric.Heading());
      cells.push_back(found == of.end() ? "-" : fmt::format("{:.1f}%", 100 * found->get<double>()));
    }
    table.AddRow(cells);
  }
  return "\n" + table.ToString();
}

}  // namespace flagstone
