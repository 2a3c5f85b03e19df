// LADM's analysis as JSON, with Table II's names.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_JSON_LADM_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_JSON_LADM_H_

#include <nlohmann/json.hpp>
#include <optional>

#include "analyzer/ladm/ladm.h"
#include "analyzer/placement/placed.h"

namespace flagstone {

// {arguments[], locality_table[], scheduler, decided_by, batch_tbs, cache_policy,
// published {scheduler, decided_by, cache_policy}}; sizes in bytes.
nlohmann::ordered_json ToJson(const LadmAnalysis& analysis);
// {element, gpu_unit, chiplet_unit, tbs_per_node[], caching, arrays[]}; null: there is one node.
nlohmann::ordered_json ToJson(const std::optional<Placed>& placed);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_JSON_LADM_H_
