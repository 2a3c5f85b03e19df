// LADM's analysis as JSON, with Table II's names.
#ifndef FLAGSTONE_FLOW_JSON_LADM_H_
#define FLAGSTONE_FLOW_JSON_LADM_H_

#include <nlohmann/json.hpp>

#include "analyzer/ladm/ladm.h"

namespace flagstone {

// {arguments[], locality_table[], scheduler, decided_by, batch_tbs, cache_policy}; sizes in bytes.
nlohmann::ordered_json ToJson(const LadmAnalysis& analysis);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_LADM_H_
