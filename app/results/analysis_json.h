// What the analysis of a launch found, as JSON and back: a part of flagstone.run/1
// (docs/results.md).
#ifndef FLAGSTONE_APP_RESULTS_ANALYSIS_JSON_H_
#define FLAGSTONE_APP_RESULTS_ANALYSIS_JSON_H_

#include <optional>

#include "app/results/launch_record.h"
#include "app/results/run_json.h"

namespace flagstone {

// All keys are there; null without a summary, and where the policy asked for no such figure.
Json ToJson(const std::optional<AnalysisSummary>& summary);
// The summary again, to the last bit. Throws where the JSON is of none.
AnalysisSummary AnalysisSummaryOf(const Json& json);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_ANALYSIS_JSON_H_
