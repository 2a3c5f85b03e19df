#include "analyzer/replay/tb_sources.h"

namespace flagstone::replay {

InGroups::InGroups(const TbGroups& groups, const HandOut& hand_out, Neighbours sms, size_t most)
    : groups_(groups.groups),
      hand_out_(hand_out),
      sms_(sms),
      most_(most),
      steals_(groups.steal_enable && sms.sms == sms.of && most == kAll),
      queues_(sms.sms),
      handed_out_(sms.sms) {
  for (uint32_t sm = 0; sm < sms.sms; ++sm) {
    const size_t group = sms.Place(sm);
    if (group < groups_.size()) queues_[sm].tbs = groups_[group];
  }
  for (size_t n = 0; n < sms.Count(groups_.size()); ++n) tbs_ += groups_[sms.Place(n)].size();
  if (most != kAll) tbs_ = std::min(tbs_, most * sms.sms);
}

uint32_t InGroups::Next(uint32_t sm) {
  Queue& queue = queues_[sm];
  while (queue.tbs.empty()) {
    const size_t group = sms_.Place(handed_out_);
    if (group >= groups_.size()) break;
    queue.tbs = groups_[group];
    ++handed_out_;
  }
  if (queue.tbs.empty() && steals_) StealFor(&queue);
  if (queue.tbs.empty() || queue.started == most_) return kNone;
  ++queue.started;
  const uint32_t tb = queue.tbs.front();
  queue.tbs = queue.tbs.subspan(1);
  return tb;
}

// From the end of the longest queue what that has above the mean. Its next TB does not wait: it
// stays.
void InGroups::StealFor(Queue* thief) {
  const auto waiting = [](const Queue& queue) {
    return queue.tbs.empty() ? size_t{0} : queue.tbs.size() - 1;
  };
  Queue* donor = nullptr;
  size_t most = 0, all = 0;
  for (Queue& queue : queues_) {
    all += waiting(queue);
    if (waiting(queue) <= most) continue;
    most = waiting(queue);
    donor = &queue;
  }
  if (donor == nullptr) return;
  const size_t count = most - all / queues_.size();
  thief->tbs = donor->tbs.last(count);
  donor->tbs = donor->tbs.first(donor->tbs.size() - count);
}

}  // namespace flagstone::replay
