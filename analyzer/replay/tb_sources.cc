#include "analyzer/replay/tb_sources.h"

namespace flagstone::replay {

InGroups::InGroups(const TbGroups& groups, const HandOut& hand_out, Neighbours sms, size_t most)
    : groups_(groups.groups),
      hand_out_(hand_out),
      sms_(sms),
      most_(most),
      queues_(sms.sms),
      handed_out_(sms.sms) {
  for (uint32_t sm = 0; sm < sms.sms; ++sm) queues_[sm].group = sms.Place(sm);
  for (size_t n = 0; n < sms.Count(groups_.size()); ++n) tbs_ += groups_[sms.Place(n)].size();
  tbs_ = std::min(tbs_, most * sms.sms);
}

uint32_t InGroups::Next(uint32_t sm) {
  Queue& queue = queues_[sm];
  while (queue.group < groups_.size() && queue.next == groups_[queue.group].size()) {
    queue.group = sms_.Place(handed_out_++);
    queue.next = 0;
  }
  if (queue.group >= groups_.size() || queue.started == most_) return kNone;
  ++queue.started;
  return groups_[queue.group][queue.next++];
}

}  // namespace flagstone::replay
