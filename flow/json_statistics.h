// The statistics of a launch as JSON: each row of StatisticsTable() and StatisticsRates(), nested
// by the dots in its name.
#ifndef FLAGSTONE_FLOW_JSON_STATISTICS_H_
#define FLAGSTONE_FLOW_JSON_STATISTICS_H_

#include "flow/json.h"

namespace flagstone {

// What a run has counted; the other fields are null.
struct Counted {
  bool timing = true;  // false for functional runs
  bool on_request = false;
};
void PutStatistics(const LaunchStatistics& statistics, const Counted& counted, Json* json);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_STATISTICS_H_
