// Coalescing as JSON: the same object in `loads[].coalescing` and in a launch's `coalescing`.
#ifndef FLAGSTONE_FLOW_JSON_COALESCING_H_
#define FLAGSTONE_FLOW_JSON_COALESCING_H_

#include <nlohmann/json.hpp>

#include "analyzer/coalescing/coalescing.h"

namespace flagstone {

// `graph`: threads per warp and load at each of the range's 32 locations.
nlohmann::ordered_json ToJson(const CoalescingMeasures& measures);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_COALESCING_H_
