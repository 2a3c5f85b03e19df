// Coalescing as JSON: the same object in `loads[].coalescing` and in a launch's `coalescing`.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_JSON_COALESCING_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_JSON_COALESCING_H_

#include "analyzer/coalescing/coalescing.h"
#include "app/results/run_json.h"

namespace flagstone {

// `graph`: threads per warp and load at each of the range's 32 locations.
Json ToJson(const CoalescingMeasures& measures);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_JSON_COALESCING_H_
