// An experiment: runs whose figures others have published, read from experiments/<name>.toml
// (experiments/README.md has the keys).
#ifndef FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_H_
#define FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/flow/reproduce/experiment_grid.h"
#include "app/flow/reproduce/experiment_metric.h"
#include "app/flow/run/run.h"
#include "app/flow/studies/load_study.h"
#include "app/results/run_json.h"
#include "base/spread.h"

namespace flagstone {

struct ExperimentCase {
  std::string label;
  RunOptions options;
  std::optional<RunOptions> baseline;           // for relative metrics
  std::vector<std::optional<double>> expected;  // per metric
  std::vector<std::string> explained;           // per metric; empty: nothing to explain
};

// Cases, each with its own expectations, a grid, or a study of loads.
struct Experiment {
  std::string name, description, source;
  std::string paper;     // whose figures it reproduces, in a word or two; empty: nobody's
  std::string table_of;  // the experiment whose table it is alone; empty: a whole one
  std::vector<ExperimentMetric> metrics;
  std::vector<ExperimentCase> cases;
  std::optional<ExperimentGrid> grid;
  std::optional<LoadStudy> study;

  // A name from experiments/, which may go on with the name of one of a grid's tables
  // ("paver-fig11"), or a path to a TOML file. All machines take `settings` (MachineConfig::Load)
  // on top of their own. Throws kBadInput with file and line.
  static Experiment Load(const std::string& name_or_path, const GridFilter& filter = {},
                         const std::vector<std::string>& settings = {});

  // Becomes that table of its grid alone (ExperimentGrid::KeepTable); false if it has none.
  bool KeepTable(const std::string& table);
};

// Those of experiments/ by name, each followed by its tables.
std::vector<Experiment> AllExperiments();

// Ours and theirs.
struct ExperimentFigure {
  std::optional<double> ours, theirs;
  std::optional<Spread> spread;  // of ours, whose mean is `ours`; absent where ours is

  std::optional<double> Difference() const;  // relative to theirs
  // True too where nothing is expected, or no tolerance is given.
  bool Agrees(const ExperimentMetric& metric) const;
};
// Of one metric of a case, from the `run` records of the case and of its baseline (null: none).
ExperimentFigure Evaluate(const ExperimentMetric& metric, std::optional<double> expected,
                          const Json& run, const Json& baseline);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_H_
