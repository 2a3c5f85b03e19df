// The locality analysis as JSON: the keys `graph`, `policies` and `cta_mapping` of a launch.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_JSON_LOCALITY_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_JSON_LOCALITY_H_

#include <vector>

#include "app/flow/analyse/analyze.h"
#include "app/flow/analyse/policy_table.h"
#include "app/results/run_json.h"

namespace flagstone {

// What was not counted, or not asked for, is null.
Json GraphJson(const LaunchAnalysis& analysis);
Json ToJson(const std::vector<PolicyFigures>& policies);
Json ToJson(const CtaMapping& mapping);
// The code outside of loops has no line.
Json ToJson(const std::vector<WarpGroup>& groups);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_JSON_LOCALITY_H_
