// A run's detail in Chrome's trace-event format ("Trace Event Format", Google), which Perfetto
// opens: metadata (M), complete (X), instant (i) and counter (C) events in one JSON object.
#ifndef FLAGSTONE_APP_RESULTS_TRACE_EVENTS_H_
#define FLAGSTONE_APP_RESULTS_TRACE_EVENTS_H_

#include <cstdint>
#include <string>

#include "app/results/run_record.h"

namespace flagstone {

// Core cycles of the run, inclusive. They count from the first launch: each launch begins where the
// one before has ended.
struct CycleWindow {
  uint64_t from = 0;
  uint64_t to = ~uint64_t{0};

  bool Meets(uint64_t first, uint64_t last) const { return first <= to && last >= from; }
};

struct TraceEvents {
  std::string text;
  std::string note;  // what was left out or drawn together to stay below the limit; or empty
};
// One cycle is shown as one microsecond. At most `max_bytes`, of which the fixed part takes some
// 10 kB per SM. Launches without detail, which a checkpoint has brought, are empty.
TraceEvents MakeTraceEvents(const RunRecord& record, const CycleWindow& window,
                            const std::string& command, uint64_t max_bytes = 50'000'000);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_TRACE_EVENTS_H_
