// The locality analysis as JSON: the keys `graph`, `policies` and `cta_mapping` of a launch.
#ifndef FLAGSTONE_FLOW_JSON_LOCALITY_H_
#define FLAGSTONE_FLOW_JSON_LOCALITY_H_

#include <vector>

#include "flow/analyze.h"
#include "flow/policy_table.h"
#include "record/json.h"

namespace flagstone {

// What was not counted, or not asked for, is null.
Json GraphJson(const LaunchAnalysis& analysis);
Json ToJson(const std::vector<PolicyFigures>& policies);
Json ToJson(const CtaMapping& mapping);
// The code outside of loops has no line.
Json ToJson(const std::vector<WarpGroup>& groups);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_LOCALITY_H_
