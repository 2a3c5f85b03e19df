// LADM's locality table and decision for `flagstone analyze`.
#ifndef FLAGSTONE_APP_CLI_LADM_TABLE_H_
#define FLAGSTONE_APP_CLI_LADM_TABLE_H_

#include <string>

#include "analyzer/ladm/ladm.h"

namespace flagstone {

// At most 100 columns wide. Empty where the kernel accesses no array.
std::string LadmTable(const LadmAnalysis& analysis);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_LADM_TABLE_H_
