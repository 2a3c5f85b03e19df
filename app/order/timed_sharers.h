// Which TBs use a datum at about the same time. PAVER (section 7) leaves time to the warp
// scheduler.
#ifndef FLAGSTONE_APP_ORDER_TIMED_SHARERS_H_
#define FLAGSTONE_APP_ORDER_TIMED_SHARERS_H_

#include <cstdint>

#include "analyzer/locality/sharer_sets.h"
#include "app/order/touch_plan.h"

namespace flagstone {

// Sharer sets in sectors, in which a datum counts once for each time at which TBs load it. The
// clock of a TB is the data that the mean TB has loaded before, and all TBs of a group begin
// together (assumption). A time is a window of `window_bytes`: what a TB can load before its L1,
// which it shares with the others of its group, has lost what it began with. There are two rows of
// windows, half a window apart, so that close uses on both sides of a border count half. TBs that
// load less than a window's data get the plain weights.
SharerSets FindTimedSharers(const TouchPlan& plan, uint64_t window_bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_TIMED_SHARERS_H_
