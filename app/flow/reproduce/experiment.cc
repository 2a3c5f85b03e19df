#include "app/flow/reproduce/experiment.h"

#include <algorithm>
#include <cmath>

#include "app/flow/run/run_request.h"
#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return DataFolder() / "experiments"; }

// Keys of [case.expect] and [case.explained] are metrics: their keys, or "cycles speed-up" where
// several have the same.
std::string KeyInCase(const ExperimentMetric& metric,
                      const std::vector<ExperimentMetric>& metrics) {
  const auto same = std::count_if(metrics.begin(), metrics.end(),
                                  [&](const auto& other) { return other.key == metric.key; });
  return same == 1 ? metric.key : metric.Heading();
}

void AllowOnlyMetrics(const TomlReader& reader, const std::vector<ExperimentMetric>& metrics) {
  std::vector<std::string> keys;
  for (const ExperimentMetric& metric : metrics) keys.push_back(KeyInCase(metric, metrics));
  reader.AllowOnly(std::vector<std::string_view>(keys.begin(), keys.end()));
}

ExperimentCase ParseCase(const TomlReader& reader, const Experiment& experiment,
                         const std::vector<std::string>& settings) {
  reader.AllowOnly({"label", "workload", "size", "machine", "set", "policy", "warp_scheduler",
                    "prefetcher", "cold_l2", "baseline", "expect", "explained"});
  ExperimentCase c;
  RunOptions& options = c.options;
  options.workload = PathBeside(reader, reader.Line("workload"));
  options.size = reader.String("size", "paper");
  options.machine =
      LoadMachine(PathBeside(reader, reader.Line("machine")), ReadStrings(reader, "set"), settings);
  const fs::path folder = fs::path(reader.file()).parent_path();
  options.policy = FindPolicy(PolicyBeside(reader.String("policy", "lrr"), folder)).name;
  ChooseBlocks(reader.String("warp_scheduler", ""), reader.String("prefetcher", ""),
               &options.machine);
  options.cold_l2 = reader.Has("cold_l2") && reader.Boolean("cold_l2");
  c.label = reader.String("label", options.workload);
  if (reader.Has("baseline")) {
    c.baseline = options;
    c.baseline->policy = FindPolicy(PolicyBeside(reader.Line("baseline"), folder)).name;
  }
  const TomlReader expect = reader.Table("expect", "[case.expect]");
  AllowOnlyMetrics(expect, experiment.metrics);
  for (const ExperimentMetric& metric : experiment.metrics) {
    std::optional<double> expected;
    const std::string key = KeyInCase(metric, experiment.metrics);
    if (expect.Has(key)) expected = expect.Number(key, 0, 1e18);
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
      const std::string key = KeyInCase(experiment.metrics[i], experiment.metrics);
      if (explained.Has(key)) c.explained[i] = explained.Line(key);
    }
  }
  return c;
}

// The file that a name stands for, and the table of its grid, if it names one.
struct NamedFile {
  fs::path path;
  std::string table;
};
std::optional<NamedFile> FindNamed(const std::string& name) {
  if (const fs::path path = Folder() / (name + ".toml"); fs::exists(path)) return {{path, ""}};
  for (size_t dash = name.rfind('-'); dash != std::string::npos && dash != 0;
       dash = name.rfind('-', dash - 1)) {
    const fs::path path = Folder() / (name.substr(0, dash) + ".toml");
    if (fs::exists(path)) return {{path, name.substr(dash + 1)}};
  }
  return std::nullopt;
}

[[noreturn]] void ThrowUnknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : AllExperiments()) names.push_back(experiment.name);
  ThrowBadInput("unknown experiment {}: expected one of {}, or a path to a TOML file", Quoted(name),
                CommaSeparated(names));
}

}  // namespace

Experiment Experiment::Load(const std::string& name_or_path, const GridFilter& filter,
                            const std::vector<std::string>& settings) {
  std::optional<NamedFile> named = NamedFile{name_or_path, ""};
  if (name_or_path.find('/') == std::string::npos &&
      fs::path(name_or_path).extension() != ".toml") {
    named = FindNamed(name_or_path);
    if (!named) ThrowUnknown(name_or_path);
  }
  const std::string file = named->path.string();
  const toml::table table = ParseToml(ReadFile(named->path), file);
  const TomlReader root(table, file, "the file");
  Experiment experiment;
  experiment.name = named->path.stem().string();
  experiment.description = root.Line("description");
  experiment.source = root.Line("source");
  if (root.Has("paper")) experiment.paper = root.Line("paper");
  if (root.Has("variant")) {
    experiment.grid = ExperimentGrid::Parse(root, filter, settings);
  } else if (!filter.Empty()) {
    ThrowBadInput("{}: an experiment that is no grid is run as a whole", file);
  } else if (root.Has("study")) {
    experiment.study = LoadStudy::Parse(root, settings);
  } else {
    root.AllowOnly({"description", "source", "paper", "metric", "case"});
    for (const toml::node& node : root.Array("metric")) {
      const TomlReader reader = root.TableOf(node, "[[metric]]");
      reader.AllowOnly({"key", "relative", "tolerance", "launch"});
      experiment.metrics.push_back(ExperimentMetric::Parse(reader));
    }
    for (const toml::node& node : root.Array("case")) {
      experiment.cases.push_back(ParseCase(root.TableOf(node, "[[case]]"), experiment, settings));
    }
  }
  if (!named->table.empty() && !experiment.KeepTable(named->table)) ThrowUnknown(name_or_path);
  return experiment;
}

bool Experiment::KeepTable(const std::string& table) {
  if (!grid || !grid->KeepTable(table)) return false;
  table_of = name;
  name += "-" + table;
  description += ": " + grid->tables.front().title;
  return true;
}

std::vector<Experiment> AllExperiments() {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(Folder(), error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<Experiment> all;
  for (const std::string& file : files) {
    const Experiment whole = all.emplace_back(Experiment::Load(file));
    if (!whole.grid) continue;
    for (const ExperimentGrid::Table& table : whole.grid->tables) {
      all.emplace_back(whole).KeepTable(table.name);
    }
  }
  return all;
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
  const std::vector<double> values = metric.Values(run, baseline);
  if (values.empty()) return {std::nullopt, expected, std::nullopt};
  const Spread spread = Spread::Of(values);
  return {spread.mean, expected, spread};
}

}  // namespace flagstone
