#include "app/flow/reproduce/experiment_metric.h"

#include "app/results/columns.h"
#include "app/results/perturbed_json.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

constexpr double kLeastReduction = 0.02;
std::optional<double> Figure(const std::string& key, const Json& run) {
  const Json value = FindColumn(key)->Of(run);
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

std::optional<double> FigureOfLastLaunch(const std::string& key, const Json& run) {
  if (!run.is_object() || run.at("launches").empty()) return std::nullopt;
  const Json value = FindColumn(key)->OfLaunch(run.at("launches").back());
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

// Reads sink to what the L1 has to be filled with; writes go through and stay.
std::optional<double> Bound(const Json& run, const Json& baseline) {
  if (!run.is_object() || !baseline.is_object()) return std::nullopt;
  double groups = 0, lrr = 0;
  for (const Json& launch : run.at("launches")) {
    const Json& analysis = launch.at("analysis");
    if (!analysis.at("l1_fills").is_number()) return std::nullopt;
    groups += analysis.at("l1_fills").get<double>();
    lrr += analysis.at("lrr_l1_fills").get<double>();
  }
  const double rest = *Figure("l2.writes", baseline) + *Figure("l2.atomics", baseline);
  if (lrr + rest == 0) return std::nullopt;
  return (groups + rest) / (lrr + rest);
}

// Over all launches; absent where none was predicted.
std::optional<double> Predicted(const Json& run) {
  double lrr = 0, chosen = 0;
  for (const Json& launch : run.at("launches")) {
    const Json& prediction = launch.at("analysis").at("prediction");
    if (prediction.is_null()) return std::nullopt;
    lrr += prediction.at("lrr_cycles").get<double>();
    chosen += prediction.at(prediction.at("runs") == "lrr" ? "lrr_cycles" : "cycles").get<double>();
  }
  return chosen == 0 ? std::nullopt : std::optional<double>(lrr / chosen);
}

}  // namespace

ExperimentMetric ExperimentMetric::Parse(const TomlReader& reader) {
  ExperimentMetric metric;
  metric.key = reader.Line("key");
  const std::optional<Column> column = FindColumn(metric.key);
  if (!column || !column->IsNumber() || column->from_compare) {
    reader.Fail(reader.Require("key").source().begin,
                "unknown statistic {}: expected one of 'flagstone list statistics'",
                Quoted(metric.key));
  }
  const std::string relative = reader.String("relative", "none");
  if (relative == "ratio") {
    metric.relative = Relative::kRatio;
  } else if (relative == "speedup") {
    metric.relative = Relative::kSpeedup;
  } else if (relative == "bound") {
    metric.relative = Relative::kBound;
  } else if (relative == "share") {
    metric.relative = Relative::kShare;
  } else if (relative == "predicted") {
    metric.relative = Relative::kPredicted;
  } else if (relative != "none") {
    reader.Fail(
        reader.Require("relative").source().begin,
        "key 'relative' is {}: expected one of none, ratio, speedup, bound, share, predicted",
        Quoted(relative));
  }
  if (metric.relative == Relative::kPredicted && metric.key != "cycles") {
    reader.Fail(reader.Require("relative").source().begin,
                "'relative' is {}: expected 'cycles' as the key", Quoted(relative));
  }
  if (metric.NeedsL1Fills() && metric.key != "l2.accesses") {
    reader.Fail(reader.Require("relative").source().begin,
                "'relative' is {}: expected 'l2.accesses' as the key", Quoted(relative));
  }
  if (reader.Has("launch")) {
    if (reader.String("launch", "") != "last" || !column->statistic ||
        metric.relative != Relative::kNone) {
      reader.Fail(reader.Require("launch").source().begin,
                  "key 'launch' takes \"last\", for a statistic of launches that is not relative");
    }
    metric.last_launch = true;
  }
  if (reader.Has("tolerance")) metric.tolerance = reader.Number("tolerance", 0, 1e6);
  return metric;
}

std::optional<double> ExperimentMetric::Value(const Json& run, const Json& baseline) const {
  if (last_launch) return FigureOfLastLaunch(key, run);
  if (relative == Relative::kPredicted) return Predicted(run);
  const std::optional<double> ours = Figure(key, run);
  if (relative == Relative::kNone) return ours;
  const std::optional<double> base = Figure(key, baseline);
  if (NeedsL1Fills()) {
    const std::optional<double> bound = Bound(run, baseline);
    if (relative == Relative::kBound || !bound) return bound;
    // Where next to nothing can be saved, its share says nothing.
    if (!base || *base == 0 || *bound > 1 - kLeastReduction) return std::nullopt;
    return (1 - *ours / *base) / (1 - *bound);
  }
  const std::optional<double> part = relative == Relative::kSpeedup ? base : ours;
  const std::optional<double> whole = relative == Relative::kSpeedup ? ours : base;
  if (!part || !whole || *whole == 0) return std::nullopt;
  return *part / *whole;
}

std::vector<double> ExperimentMetric::Values(const Json& run, const Json& baseline) const {
  return FiguresOf(run, baseline,
                   [this](const Json& r, const Json& base) { return Value(r, base); });
}

std::string ExperimentMetric::Heading() const {
  switch (relative) {
    case Relative::kRatio:
      return key + " ratio";
    case Relative::kSpeedup:
      return key + " speed-up";
    case Relative::kBound:
      return key + " bound";
    case Relative::kShare:
      return key + " share of the bound";
    case Relative::kPredicted:
      return key + " predicted";
    case Relative::kNone:
      break;
  }
  return key;
}

}  // namespace flagstone
