#include "app/results/perturbed_json.h"

#include <cstddef>
#include <utility>

namespace flagstone {
namespace {

// Records by setting; of a run without settings itself. Null has none.
std::vector<const Json*> Settings(const Json& run) {
  std::vector<const Json*> settings;
  if (!run.is_object()) return settings;
  if (!run.contains("perturbed") || run["perturbed"]["runs"].empty()) return {&run};
  for (const Json& of_setting : run["perturbed"]["runs"]) settings.push_back(&of_setting);
  return settings;
}

}  // namespace

Json WithSettings(std::vector<Json> records) {
  Json all = records.front();
  all.erase("setting");
  std::vector<double> cycles;
  for (Json& record : records) {
    cycles.push_back(record["totals"]["cycles"].get<double>());
    record.erase("perturbed");
  }
  Json& perturbed = all["perturbed"];
  perturbed = {{"settings", records.size()}, {"cycles", ToJson(Spread::Of(cycles))}};
  perturbed["runs"] = std::move(records);
  return all;
}

std::vector<double> FiguresOf(const Json& run, const Json& baseline, const PairedFigure& figure) {
  std::vector<const Json*> runs = Settings(run);
  std::vector<const Json*> baselines = Settings(baseline);
  if (!baselines.empty() && !runs.empty() && baselines.size() != runs.size()) {
    runs.resize(1);
    baselines.resize(1);
  }
  static const Json kNone;
  std::vector<double> values;
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::optional<double> value = figure(*runs[i], baselines.empty() ? kNone : *baselines[i]);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

Json ComparedWith(const Json& run, const Json& baseline) {
  const auto cycles = [](const Json& record) -> std::optional<double> {
    if (!record.is_object() || !record["totals"]["cycles"].is_number()) return std::nullopt;
    const auto count = record["totals"]["cycles"].get<double>();
    return count == 0 ? std::nullopt : std::optional<double>(count);
  };
  const auto ratio = [&](const Json& part, const Json& whole) -> std::optional<double> {
    if (!cycles(part) || !cycles(whole)) return std::nullopt;
    return *cycles(part) / *cycles(whole);
  };
  const std::vector<double> ratios = FiguresOf(run, baseline, ratio);
  if (ratios.empty()) return nullptr;
  std::vector<double> speedups;
  for (const double value : ratios) speedups.push_back(1 / value);
  const Spread speedup = Spread::Of(speedups);
  Json json = {{"speedup", ToJson(speedup)}, {"cycles_ratio", ToJson(Spread::Of(ratios))}};
  json["speedup"]["equal"] = speedup.count > 1 ? Json(speedup.IsEqual()) : Json(nullptr);
  return json;
}

Json ToJson(const Spread& spread) {
  return {{"mean", spread.mean},
          {"deviation", spread.count > 1 ? Json(spread.deviation) : Json(nullptr)}};
}

}  // namespace flagstone
