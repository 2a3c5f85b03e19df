// What happened when, over all launches of a run: TBs in the slots of the SMs, steals, TB groups,
// and counters. Written in Chrome's trace-event format, which Perfetto opens.
#ifndef FLAGSTONE_SYSTEMC_TIMELINE_H_
#define FLAGSTONE_SYSTEMC_TIMELINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/partition/tb_groups.h"
#include "gpu_model/sm/tb_log.h"
#include "gpu_model/stats/statistics.h"
#include "systemc/timeline_counters.h"

namespace flagstone {

// Cycles count from the first launch: each launch begins where the one before has ended. One cycle
// is shown as one microsecond.
class Timeline {
 public:
  struct Window {
    uint64_t from = 0;  // core cycles of the run, inclusive
    uint64_t to = ~uint64_t{0};
  };
  explicit Timeline(Window window) : window_(window) {}

  // Before a launch: the logs that its SMs write to.
  std::vector<TbLog>& BeginLaunch(const std::string& entry, uint32_t sms, uint32_t slots);
  std::vector<StealEvent>* steals() { return &launch_steals_; }
  // While it runs, in the cycles that this asks for: `sums` are the launch's so far.
  uint64_t Sample(uint64_t now, const LaunchStatistics& sums);
  // After it, also if it was interrupted. `groups`: of the TB queue, if it has one.
  void EndLaunch(uint64_t cycles, const LaunchStatistics& sums, const TbGroups& groups);

  struct Json {
    std::string text;
    std::string note;  // what was left out or drawn together to stay below the limit; or empty
  };
  // At most `max_bytes`, of which the fixed part takes some 10 kB per SM.
  Json ToJson(const std::string& command, uint64_t max_bytes = 50'000'000) const;

 private:
  struct Launch {
    std::string entry;
    uint64_t from = 0, to = 0;
  };
  struct SmSpan {
    uint32_t sm = 0;
    uint32_t launch = 0;
    TbSpan span;  // in cycles of the run
  };
  struct GroupEvent {
    uint64_t cycle = 0;
    uint32_t sm = 0;
    size_t group = 0;
    size_t tbs = 0;
  };

  bool InWindow(uint64_t from, uint64_t to) const {
    return from <= window_.to && to >= window_.from;
  }
  void AddGroups(const TbGroups& groups, size_t first_span);
  uint64_t Offset() const { return launches_.back().from; }

  Window window_;
  std::vector<Launch> launches_;
  std::vector<SmSpan> spans_;  // launch by launch, SM by SM, in the order in which they begin
  std::vector<StealEvent> steals_;
  std::vector<GroupEvent> groups_;
  TimelineCounters counters_;
  uint32_t sms_ = 0;
  uint32_t slots_ = 0;  // the most of any launch

  // Of the launch that runs.
  std::vector<TbLog> logs_;
  std::vector<StealEvent> launch_steals_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_TIMELINE_H_
