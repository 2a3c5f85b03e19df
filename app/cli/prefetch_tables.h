// What became of a run's prefetches: by load as text, beside the run without as JSON.
#ifndef FLAGSTONE_APP_CLI_PREFETCH_TABLES_H_
#define FLAGSTONE_APP_CLI_PREFETCH_TABLES_H_

#include <string>

#include "app/results/run_json.h"

namespace flagstone {

// A row per static global load, its launches together; empty where there are no prefetches.
std::string LoadPrefetchTable(const Json& record);

// More requests from the SMs to L2, and more sectors read from DRAM, than in the same run without
// prefetches, as shares of that run's; null where undefined.
Json PrefetchOverhead(const Json& totals, const Json& totals_without);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_PREFETCH_TABLES_H_
