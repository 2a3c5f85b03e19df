#include "flow/experiment.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return DataFolder() / "experiments"; }

bool IsStatistic(const std::string& key) {
  const auto named = [&](const auto& row) { return row.name == key; };
  const auto fields = StatisticsTable();
  const auto rates = StatisticsRates();
  return std::any_of(fields.begin(), fields.end(), named) ||
         std::any_of(rates.begin(), rates.end(), named);
}

ExperimentMetric ParseMetric(const TomlReader& reader) {
  reader.AllowOnly({"key", "relative", "tolerance"});
  ExperimentMetric metric;
  metric.key = reader.Line("key");
  if (!IsStatistic(metric.key)) {
    reader.Fail(reader.Require("key").source().begin,
                "unknown statistic {}: expected one of 'flagstone list statistics'",
                Quoted(metric.key));
  }
  const std::string relative = reader.String("relative", "none");
  if (relative == "ratio") {
    metric.relative = ExperimentMetric::Relative::kRatio;
  } else if (relative == "speedup") {
    metric.relative = ExperimentMetric::Relative::kSpeedup;
  } else if (relative != "none") {
    reader.Fail(reader.Require("relative").source().begin,
                "key 'relative' is {}: expected one of none, ratio, speedup", Quoted(relative));
  }
  if (reader.Has("tolerance")) metric.tolerance = reader.Number("tolerance", 0, 1e6);
  return metric;
}

// Keys of [case.expect] and [case.explained] are metrics.
void AllowOnlyMetrics(const TomlReader& reader, const std::vector<ExperimentMetric>& metrics) {
  std::vector<std::string_view> keys;
  for (const ExperimentMetric& metric : metrics) keys.push_back(metric.key);
  reader.AllowOnly(keys);
}

ExperimentCase ParseCase(const TomlReader& reader, const Experiment& experiment) {
  reader.AllowOnly({"label", "workload", "size", "machine", "set", "policy", "warp_scheduler",
                    "prefetcher", "cold_l2", "baseline", "expect", "explained"});
  ExperimentCase c;
  RunRequest& request = c.request;
  request.workload = reader.Line("workload");
  if (request.workload.find('/') != std::string::npos) {
    request.workload = (fs::path(reader.file()).parent_path() / request.workload).string();
  }
  request.size = reader.String("size", "paper");
  std::vector<std::string> settings;
  if (reader.Has("set")) {
    for (const toml::node& node : reader.Array("set")) {
      if (!node.is_string()) reader.FailType(node, "an element of 'set'", "\"key=value\"");
      settings.push_back(node.as_string()->get());
    }
  }
  request.machine = MachineConfig::Load(reader.Line("machine"), settings);
  request.policy = &FindPolicy(reader.String("policy", "lrr"));
  request.warp_scheduler = reader.String("warp_scheduler", "");
  request.prefetcher = reader.String("prefetcher", "none");
  request.cold_l2 = reader.Has("cold_l2") && reader.Boolean("cold_l2");
  c.label = reader.String("label", request.workload);
  if (reader.Has("baseline")) {
    c.baseline = request;
    c.baseline->policy = &FindPolicy(reader.Line("baseline"));
  }
  const TomlReader expect = reader.Table("expect", "[case.expect]");
  AllowOnlyMetrics(expect, experiment.metrics);
  for (const ExperimentMetric& metric : experiment.metrics) {
    std::optional<double> expected;
    if (expect.Has(metric.key)) expected = expect.Number(metric.key, 0, 1e18);
    if (expected && metric.relative != ExperimentMetric::Relative::kNone && !c.baseline) {
      reader.Fail(reader.position(), "missing key 'baseline': metric {} is relative", metric.key);
    }
    c.expected.push_back(expected);
  }
  c.explained.resize(experiment.metrics.size());
  if (reader.Has("explained")) {
    const TomlReader explained = reader.Table("explained", "[case.explained]");
    AllowOnlyMetrics(explained, experiment.metrics);
    for (size_t i = 0; i < experiment.metrics.size(); ++i) {
      const std::string& key = experiment.metrics[i].key;
      if (explained.Has(key)) c.explained[i] = explained.Line(key);
    }
  }
  return c;
}

std::optional<double> Figure(const std::string& key, const Json& run) {
  if (!run.is_object()) return std::nullopt;
  std::string pointer = "/totals/" + key;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  const Json& value = run.at(Json::json_pointer(pointer));
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

}  // namespace

Experiment Experiment::Load(const std::string& name_or_path) {
  fs::path path = name_or_path;
  if (name_or_path.find('/') == std::string::npos && path.extension() != ".toml") {
    path = Folder() / (name_or_path + ".toml");
    if (!fs::exists(path)) {
      ThrowBadInput("unknown experiment {}: expected one of {}, or a path to a TOML file",
                    Quoted(name_or_path), CommaSeparated(ListExperiments()));
    }
  }
  const std::string file = path.string();
  const toml::table table = ParseToml(ReadFile(path), file);
  const TomlReader root(table, file, "the file");
  root.AllowOnly({"description", "source", "metric", "case"});
  Experiment experiment;
  experiment.name = path.stem().string();
  experiment.description = root.Line("description");
  experiment.source = root.Line("source");
  for (const toml::node& node : root.Array("metric")) {
    experiment.metrics.push_back(ParseMetric(root.TableOf(node, "[[metric]]")));
  }
  for (const toml::node& node : root.Array("case")) {
    experiment.cases.push_back(ParseCase(root.TableOf(node, "[[case]]"), experiment));
  }
  return experiment;
}

std::vector<std::string> ListExperiments() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(Folder(), error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<double> ExperimentFigure::Difference() const {
  if (!ours || !theirs) return std::nullopt;
  if (*theirs == 0) return *ours == 0 ? 0.0 : HUGE_VAL;
  return *ours / *theirs - 1;
}

bool ExperimentFigure::Agrees(const ExperimentMetric& metric) const {
  if (!theirs || !metric.tolerance) return true;
  const std::optional<double> difference = Difference();
  return difference && std::abs(*difference) <= *metric.tolerance;
}

ExperimentFigure Evaluate(const ExperimentMetric& metric, std::optional<double> expected,
                          const Json& run, const Json& baseline) {
  using Relative = ExperimentMetric::Relative;
  ExperimentFigure figure = {Figure(metric.key, run), expected};
  if (metric.relative == Relative::kNone) return figure;
  const std::optional<double> base = Figure(metric.key, baseline);
  const bool speedup = metric.relative == Relative::kSpeedup;
  const std::optional<double> part = speedup ? base : figure.ours;
  const std::optional<double> whole = speedup ? figure.ours : base;
  figure.ours.reset();
  if (part && whole && *whole != 0) figure.ours = *part / *whole;
  return figure;
}

}  // namespace flagstone
