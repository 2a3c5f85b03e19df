// What TBs share at one time: data that one TB reads at its beginning and another at its end are
// gone from an L1 in between, although both read them.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TIMED_SHARERS_H_
#define FLAGSTONE_ANALYZER_REPLAY_TIMED_SHARERS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "analyzer/locality/sharer_sets.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

struct LoadedLine {
  LineNumber line = 0;
  SectorMask sectors = 0;
};

// `loads_of`: what a TB loads, in the order of time. Sharer sets of sectors, of each window of time
// for itself: as long as a TB takes to load so many different bytes. Windows begin at their half
// again, so that no two uses are apart for an edge between them.
SharerSets FindTimedSharers(uint32_t tbs,
                            const std::function<std::vector<LoadedLine>(uint32_t tb)>& loads_of,
                            uint64_t window_bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_REPLAY_TIMED_SHARERS_H_
