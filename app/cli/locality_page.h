// The parts of `flagstone analyze`'s page that tell of locality: Table 2's columns, groups,
// policies side by side, CTA mapping.
#ifndef FLAGSTONE_APP_CLI_LOCALITY_PAGE_H_
#define FLAGSTONE_APP_CLI_LOCALITY_PAGE_H_

#include <string>

#include "app/flow/analyse/analysis_json.h"

namespace flagstone {

std::string LocalityPage(const AnalyzedLaunch& analyzed, const std::string& granularity,
                         const std::string& policy);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_LOCALITY_PAGE_H_
