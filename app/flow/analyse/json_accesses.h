// A launch's global accesses as JSON: loads, stores and atomics apart.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_JSON_ACCESSES_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_JSON_ACCESSES_H_

#include <nlohmann/json.hpp>

#include "app/flow/analyse/analyze.h"

namespace flagstone {

// Adds `loads`, `stores` and `atomics` to a launch's record.
void PutAccesses(const LaunchAnalysis& analysis, nlohmann::ordered_json* launch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_JSON_ACCESSES_H_
