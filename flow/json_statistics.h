// The statistics of a launch as JSON: each row of StatisticsTable() and StatisticsRates(), nested
// by the dots in its name.
#ifndef FLAGSTONE_FLOW_JSON_STATISTICS_H_
#define FLAGSTONE_FLOW_JSON_STATISTICS_H_

#include "flow/json.h"

namespace flagstone {

// `timed` is false for functional runs, where only some fields are defined; the others are null.
void PutStatistics(const LaunchStatistics& statistics, bool timed, Json* json);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_STATISTICS_H_
