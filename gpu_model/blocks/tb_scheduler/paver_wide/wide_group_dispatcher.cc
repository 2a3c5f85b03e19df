#include "gpu_model/blocks/tb_scheduler/paver_wide/wide_group_dispatcher.h"

#include <bit>

namespace flagstone {

WideGroupDispatcher::WideGroupDispatcher(uint32_t num_sms, uint32_t depth)
    : groups_(num_sms, depth), most_(num_sms + depth - kLate), limit_(most_) {}

void WideGroupDispatcher::Reset() {
  groups_.Reset();
  parts_ = {};
  limit_ = most_;
}

void WideGroupDispatcher::Tick(const SmMask& held) {
  limit_ = Limit(parts_);
  parts_ = Parts(held);
}

WideGroupDispatcher::Counts WideGroupDispatcher::Parts(const SmMask& held) {
  Counts parts;
  for (uint32_t i = 0; i < parts.size(); ++i) {
    const uint64_t sms = held[i * kPartSms / 64] >> (i * kPartSms % 64) & 0xffff;
    parts[i] = static_cast<uint8_t>(std::popcount(sms));
  }
  return parts;
}

uint32_t WideGroupDispatcher::Limit(const Counts& parts) const {
  uint32_t limit = most_;
  for (const uint8_t count : parts) limit -= count;
  return limit;
}

}  // namespace flagstone
