// Where TBs and arrays go on a machine of several nodes, for `flagstone analyze`.
#ifndef FLAGSTONE_APP_CLI_PLACEMENT_TABLE_H_
#define FLAGSTONE_APP_CLI_PLACEMENT_TABLE_H_

#include <string>

#include "analyzer/placement/placed.h"

namespace flagstone {

// At most 100 columns wide.
std::string PlacementTable(const Placed& placed, const std::string& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_PLACEMENT_TABLE_H_
