#include "gpu_model/sm/victim_tags.h"

#include <algorithm>

namespace flagstone {

VictimTags::VictimTags(const WarpSchedulerConfig& config, uint32_t l1_lines)
    : ways_(config.ccws_victim_ways),
      sets_(config.ccws_victim_tags / config.ccws_victim_ways),
      tags_(size_t{kMaxWarps} * config.ccws_victim_tags, kFree),
      owner_(l1_lines, 0) {}

void VictimTags::Replaced(LineNumber line, uint32_t way) {
  LineNumber* set = SetOf(owner_[way], line);
  std::copy_backward(set, set + ways_ - 1, set + ways_);
  set[0] = line;
}

void VictimTags::Miss(LineNumber line, uint32_t way) {
  owner_[way] = static_cast<uint8_t>(requester_);
  LineNumber* set = SetOf(requester_, line);
  LineNumber* found = std::find(set, set + ways_, line);
  if (found == set + ways_) return;
  std::copy(found + 1, set + ways_, found);
  set[ways_ - 1] = kFree;
  lost_ = requester_;
}

}  // namespace flagstone
