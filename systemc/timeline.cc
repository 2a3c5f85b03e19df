#include "systemc/timeline.h"

#include <algorithm>
#include <unordered_map>

namespace flagstone {

std::vector<TbLog>& Timeline::BeginLaunch(const std::string& entry, uint32_t sms, uint32_t slots) {
  const uint64_t from = launches_.empty() ? 0 : launches_.back().to;
  launches_.push_back({entry, from, from});
  sms_ = std::max(sms_, sms);
  slots_ = std::max(slots_, slots);
  logs_.assign(sms, TbLog(slots));
  launch_steals_.clear();
  counters_.Restart();
  return logs_;
}

uint64_t Timeline::Sample(uint64_t now, const LaunchStatistics& sums) {
  uint32_t active = 0;
  for (const TbLog& log : logs_) active += log.running() != 0 ? 1U : 0U;
  const uint64_t cycle = Offset() + now;
  // The bucket that ends here.
  counters_.Add(cycle == 0 ? 0 : cycle - 1, sums, active);
  return now + counters_.width() - cycle % counters_.width();
}

void Timeline::EndLaunch(uint64_t cycles, const LaunchStatistics& sums, const TbGroups& groups) {
  Sample(cycles, sums);
  const uint64_t offset = Offset();
  Launch& launch = launches_.back();
  launch.to = offset + cycles;
  const size_t first_span = spans_.size();
  for (uint32_t sm = 0; sm < logs_.size(); ++sm) {
    for (TbSpan span : logs_[sm].spans()) {
      span.from += offset;
      span.to = span.to == TbSpan::kOpen ? launch.to : span.to + offset;
      if (!InWindow(span.from, span.to)) continue;
      spans_.push_back({sm, static_cast<uint32_t>(launches_.size() - 1), span});
    }
  }
  for (StealEvent steal : launch_steals_) {
    steal.cycle += offset;
    if (InWindow(steal.cycle, steal.cycle)) steals_.push_back(steal);
  }
  AddGroups(groups, first_span);
}

// A group is handed out when the first of its TBs begins.
void Timeline::AddGroups(const TbGroups& groups, size_t first_span) {
  std::unordered_map<uint64_t, size_t> group_of_first;
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    if (!groups.groups[i].empty()) group_of_first[groups.groups[i].front()] = i;
  }
  if (group_of_first.empty()) return;
  for (size_t i = first_span; i < spans_.size(); ++i) {
    const auto found = group_of_first.find(spans_[i].span.tb);
    if (found == group_of_first.end() || spans_[i].span.from < window_.from) continue;
    groups_.push_back(
        {spans_[i].span.from, spans_[i].sm, found->second, groups.groups[found->second].size()});
  }
}

}  // namespace flagstone
