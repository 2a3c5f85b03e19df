// The locality analysis as JSON: the keys `graph`, `policies` and `cta_mapping` of a launch.
#ifndef FLAGSTONE_FLOW_JSON_LOCALITY_H_
#define FLAGSTONE_FLOW_JSON_LOCALITY_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "flow/analyze.h"
#include "flow/policy_table.h"

namespace flagstone {

// What was not counted, or not asked for, is null.
nlohmann::ordered_json GraphJson(const LaunchAnalysis& analysis);
nlohmann::ordered_json ToJson(const std::vector<PolicyFigures>& policies);
nlohmann::ordered_json ToJson(const CtaMapping& mapping);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_LOCALITY_H_
