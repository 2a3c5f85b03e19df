// A figure of a run that an experiment compares: a statistic, plain or relative to a baseline.
#ifndef FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_METRIC_H_
#define FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_METRIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/results/run_json.h"

namespace flagstone {

class TomlReader;

struct ExperimentMetric {
  // A ratio is ours / baseline, a speed-up baseline / ours. For l2.accesses, the bound is the ratio
  // that an ideal L1 would allow (app/flow/analyse/l1_fills.h), and the share is how much of the
  // reduction to the bound was reached. For cycles, the prediction is the speed-up over lrr that
  // policy `auto` expected of its choice (app/flow/analyse/group_prediction.h), whatever the
  // baseline.
  enum class Relative : uint8_t { kNone, kRatio, kSpeedup, kBound, kShare, kPredicted };

  std::string key;  // the name of a column that is a number (app/results/columns.h)
  Relative relative = Relative::kNone;
  std::optional<double> tolerance;  // relative; absent: only shown
  bool last_launch = false;         // of it alone, not of the run: those before warm the caches up

  // Reads `key`, `relative`, `tolerance` and `launch`; other keys are the caller's. Throws
  // kBadInput.
  static ExperimentMetric Parse(const TomlReader& reader);
  // Whether its means are geometric.
  bool Multiplies() const { return relative != Relative::kNone && relative != Relative::kShare; }
  bool NeedsL1Fills() const { return relative == Relative::kBound || relative == Relative::kShare; }
  // From the `run` records of a case and of its baseline (null: none). Absent where undefined.
  std::optional<double> Value(const Json& run, const Json& baseline) const;
  // The same by setting, of runs under several (app/results/perturbed_json.h).
  std::vector<double> Values(const Json& run, const Json& baseline) const;
  // "cycles speed-up"
  std::string Heading() const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_REPRODUCE_EXPERIMENT_METRIC_H_
