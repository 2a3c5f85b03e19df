// A launch's global loads as a table for `flagstone analyze`: class, coalescing, address.
#ifndef FLAGSTONE_APP_CLI_LOADS_TABLE_H_
#define FLAGSTONE_APP_CLI_LOADS_TABLE_H_

#include <string>

#include "app/flow/analyse/analysis_json.h"

namespace flagstone {

// At most 100 columns wide; what does not fit is in `--dump addresses` and `--json`.
std::string LoadsTable(const AnalyzedLaunch& analyzed);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_LOADS_TABLE_H_
