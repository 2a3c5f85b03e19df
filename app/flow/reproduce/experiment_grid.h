// An experiment in the shape that papers' figures have: workloads, in sets, under variants, on
// machines. Every table shows one figure of the same runs (experiments/README.md has the keys).
#ifndef FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_GRID_H_
#define FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_GRID_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/flow/reproduce/experiment_metric.h"
#include "app/flow/run/run.h"
#include "app/results/run_json.h"

namespace flagstone {

class TomlReader;

// What to leave out of a grid, and at which size to run what is kept; an empty list keeps
// everything, an empty size is the grid's own.
struct GridFilter {
  std::vector<std::string> machines, workloads;
  std::string size;  // of workloads to which the grid gives none of their own

  bool Empty() const { return machines.empty() && workloads.empty() && size.empty(); }
};

struct ExperimentGrid {
  struct Set {
    std::string name;
    std::vector<std::string> workloads;  // labels
  };
  // Means over a set that others have published, by variant; a set may have several, each with its
  // cause.
  struct Published {
    size_t machine = 0;
    size_t set = 0;  // sets.size(): "all", the workloads of all sets
    std::vector<std::optional<double>> values;
    std::string cause;  // why ours is another, in a clause; empty: nobody has said
  };
  struct Table {
    std::string name;
    std::string title;
    std::string figure;  // where the paper has it ("Fig. 10"); empty: nowhere
    ExperimentMetric metric;
    std::vector<size_t> columns;  // the variants that it shows
    std::vector<Published> published;
  };

  std::vector<std::string> machines;
  std::vector<std::string> variants;
  size_t baseline = 0;  // the variant that relative metrics compare with
  std::vector<Set> sets;
  std::vector<Table> tables;
  std::vector<RunOptions> runs;  // by machine, workload (set after set) and variant, the fastest

  // Throws kBadInput, with file and line, or for a name in `filter` that the grid does not have.
  // All machines take `settings` on top of their variants'.
  static ExperimentGrid Parse(const TomlReader& root, const GridFilter& filter,
                              const std::vector<std::string>& settings = {});

  // Leaves the table of that name alone, with the runs that it needs: of the variants that it shows
  // and, where it is relative, of the baseline. Else these are as they were, so that results in a
  // store serve both. False, without a table left, if there is none of that name.
  bool KeepTable(std::string_view name);

  size_t WorkloadCount() const;
  size_t RunOf(size_t machine, size_t workload, size_t variant) const {
    return (machine * WorkloadCount() + workload) * variants.size() + variant;
  }
};

// One table of a grid for one machine. Values stand by variant; what is undefined, or belongs to a
// run that failed, is absent.
struct GridTable {
  struct Row {
    std::string set, workload;
    std::vector<std::optional<double>> values;  // of several settings, their mean
    std::vector<double> deviations;             // 0: of one setting
  };
  // Over the rows of a set: geometric for relative metrics, else arithmetic. Absent values do not
  // count.
  struct Mean {
    std::string set;
    std::vector<std::optional<double>> ours, theirs;
    std::vector<double> deviations;  // of ours
    std::string cause;               // of their difference
  };
  std::vector<Row> rows;
  std::vector<Mean> means;  // a row per set, then, where there are several, one for "all"
};
// `runs` holds the `run` record of each of grid.runs, null where there is none.
GridTable MakeGridTable(const ExperimentGrid& grid, const ExperimentGrid::Table& table,
                        size_t machine, const std::vector<Json>& runs);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_GRID_H_
