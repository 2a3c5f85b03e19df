// One record of a run under several settings (`--perturb`), and figures of it with deviations.
#ifndef FLAGSTONE_APP_RESULTS_PERTURBED_JSON_H_
#define FLAGSTONE_APP_RESULTS_PERTURBED_JSON_H_

#include <functional>
#include <optional>
#include <vector>

#include "app/results/run_json.h"
#include "base/spread.h"

namespace flagstone {

// The first record, that of the run as it is, whose `perturbed` holds how many settings there were,
// the cycles' mean and deviation, and all records under `runs`, each with its `setting`.
Json WithSettings(std::vector<Json> records);

// A figure of a run and its baseline (null: none), setting by setting: of a speed-up, both terms
// are of the same setting. Of runs without settings the figure itself, and where only one of the
// two has settings, that of the runs as they are. Empty where it is undefined for any setting.
using PairedFigure = std::function<std::optional<double>(const Json& run, const Json& baseline)>;
std::vector<double> FiguresOf(const Json& run, const Json& baseline, const PairedFigure& figure);

// The baseline's cycles over the run's, and the other way round, setting by setting: {"speedup":
// {mean, deviation, equal}, "cycles_ratio": {mean, deviation}}. Of one setting `deviation` and
// `equal` are null; null where either has no cycles.
Json ComparedWith(const Json& run, const Json& baseline);

Json ToJson(const Spread& spread);  // {"mean", "deviation"}

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_PERTURBED_JSON_H_
