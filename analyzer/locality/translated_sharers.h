// Sharer sets in closed form, for arrays whose footprints only move from TB to TB: who shares with
// whom is worked out at one TB for each way in which a TB can lie to the borders of the grid.
// Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_TRANSLATED_SHARERS_H_
#define FLAGSTONE_ANALYZER_LOCALITY_TRANSLATED_SHARERS_H_

#include <cstdint>

#include "analyzer/locality/footprints.h"
#include "analyzer/locality/sharer_table.h"

namespace flagstone {

// Adds the array's sets to `table`. Returns false, with nothing added, for an array whose classes
// overlap or move differently, or that would need more than `max_ranges` ranges to be gone through.
bool AddTranslated(const ArrayFootprints& array, uint64_t unit_bytes, uint64_t max_ranges,
                   SharerTable& table);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_TRANSLATED_SHARERS_H_
