// The statistics of a launch as JSON: each row of StatisticsTable() and StatisticsRates(), nested
// by the dots in its name.
#ifndef FLAGSTONE_APP_RESULTS_STATISTICS_JSON_H_
#define FLAGSTONE_APP_RESULTS_STATISTICS_JSON_H_

#include <vector>

#include "app/results/chip_parts.h"
#include "app/results/run_json.h"

namespace flagstone {

// What a run has counted; the other fields are null.
struct Counted {
  bool timing = true;  // false for functional runs
  bool on_request = false;
};
void PutStatistics(const LaunchStatistics& statistics, const Counted& counted, Json* json);

// The rows that this kind of part counts, each an array by part in the place of a number. Rates are
// left to the reader.
Json PartsJson(const std::vector<LaunchStatistics>& parts, ChipPart part, const Counted& counted);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_STATISTICS_JSON_H_
