// What became of a run's prefetches, as text.
#ifndef FLAGSTONE_CLI_PREFETCH_TABLES_H_
#define FLAGSTONE_CLI_PREFETCH_TABLES_H_

#include <string>
#include <vector>

#include "flow/json.h"
#include "flow/run.h"

namespace flagstone {

// Lines of a launch's or a run's figures: name and value.
struct FigureLine {
  std::string name, value;
};
std::vector<FigureLine> PrefetchLines(const PrefetchStatistics& statistics);

// A row per static global load, its launches together; empty where there are no prefetches.
std::string LoadPrefetchTable(const RunResult& result);

// More requests from the SMs to L2, and more sectors read from DRAM, than in the same run without
// prefetches, as shares of that run's; null where undefined.
Json PrefetchOverhead(const Json& totals, const Json& totals_without);

// The columns of `compare` between IPC and the check, and their cells for one run.
std::vector<std::string> PrefetchColumns();
std::vector<std::string> PrefetchCells(const Json& totals, const Json& overhead);

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_PREFETCH_TABLES_H_
