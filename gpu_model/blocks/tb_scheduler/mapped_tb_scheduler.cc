#include "gpu_model/blocks/tb_scheduler/mapped_tb_scheduler.h"

#include <algorithm>

namespace flagstone {

void MappedTbScheduler::BeginWalk(const Mapping& mapping) {
  mapping_ = mapping;
  walked_ = 0;
  with_tbs_ = {};
}

void MappedTbScheduler::Walk() {
  if (walked_++ == 0) return;
  const uint64_t sm = walked_ - 2;
  const uint64_t rest_begin =
      num_sms() * mapping_.first + sm * mapping_.rest + std::min<uint64_t>(sm, mapping_.extra);
  const uint64_t share = mapping_.rest + (sm < mapping_.extra ? 1 : 0);
  Part& part = parts_[sm];
  part.first = {sm * mapping_.first, (sm + 1) * mapping_.first};
  part.rest = {rest_begin, rest_begin + share};
  if (mapping_.first + share != 0) SetBit(&with_tbs_, static_cast<uint32_t>(sm));
}

uint32_t MappedTbScheduler::TakeOf(uint32_t sm) {
  Part& part = parts_[sm];
  Range& range = part.first.begin != part.first.end ? part.first : part.rest;
  const uint32_t id = IdAt(range.begin++);
  if (part.first.begin == part.first.end && part.rest.begin == part.rest.end) {
    ClearBit(&with_tbs_, sm);
  }
  return id;
}

// From scratch, modulo 2^32: independent of the RTL's way from one TB to the next.
uint32_t MappedTbScheduler::IdAt(uint64_t place) const {
  const auto low = static_cast<uint32_t>(place);
  if (mapping_.length == 0) return low * mapping_.step;
  const auto jumps = static_cast<uint32_t>(place / mapping_.length);
  return (low - jumps) * mapping_.step + jumps * mapping_.jump;
}

}  // namespace flagstone
