// LADM's locality table as text, for people and `--dump ladm`.
#ifndef FLAGSTONE_ANALYZER_LADM_LADM_DUMP_H_
#define FLAGSTONE_ANALYZER_LADM_LADM_DUMP_H_

#include <string>

#include "analyzer/ladm/ladm.h"

namespace flagstone {

// A line per access with its index, then a line per array, then the decision.
std::string Dump(const LadmAnalysis& analysis);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_LADM_DUMP_H_
