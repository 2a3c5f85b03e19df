// What `run` prints of a run, from its record as JSON, which the store of results has too.
#ifndef FLAGSTONE_APP_CLI_RUN_PAGE_H_
#define FLAGSTONE_APP_CLI_RUN_PAGE_H_

#include <string>

#include "app/results/run_json.h"

namespace flagstone {

// The launches, one after another, their totals, the loads' prefetches and the checks.
std::string RunPage(const Json& record);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_RUN_PAGE_H_
