#include "gpu_model/memory/tag_array.h"

#include <algorithm>
#include <bit>

namespace flagstone {

TagArray::TagArray(uint32_t size_bytes, uint32_t ways, SetHash hash)
    : sets_(std::max(1U, size_bytes / kLineBytes / ways)),
      associativity_(ways),
      set_bits_(static_cast<uint32_t>(std::bit_width(sets_ - 1))),
      hash_(hash == SetHash::kFermi && sets_ != 32 && sets_ != 64 ? SetHash::kFolded : hash),
      tags_(size_t{sets_} * ways, kFree),
      ways_(size_t{sets_} * ways),
      recent_(sets_, 0) {}

uint32_t TagArray::SetOf(LineNumber line) const {
  if (sets_ == 1) return 0;
  if (hash_ == SetHash::kLinear) return line % sets_;
  if (hash_ == SetHash::kFermi) {
    // Bits 7 to 11 of the address with 13, 14, 15, 17 and 19; of 64 sets, bit 12 is the upper one.
    const uint32_t upper = ((line >> 6) & 7) | ((line >> 7) & 8) | ((line >> 8) & 16);
    return ((line & 31) ^ upper) | (line & (sets_ - 32));
  }
  // So that power-of-two strides spread over all sets.
  const uint32_t folded = line ^ (line >> set_bits_) ^ (line >> (2 * set_bits_ & 31));
  return std::has_single_bit(sets_) ? folded & (sets_ - 1) : folded % sets_;
}

uint32_t TagArray::Find(LineNumber line) const {
  const uint32_t set = SetOf(line);
  const uint32_t base = set * associativity_;
  const uint32_t recent = base + recent_[set];
  if (tags_[recent] == line) return recent;
  for (uint32_t way = 0; way < associativity_; ++way) {
    if (tags_[base + way] == line) {
      recent_[set] = way;
      return base + way;
    }
  }
  return kNone;
}

uint32_t TagArray::Victim(LineNumber line) const {
  const uint32_t base = SetOf(line) * associativity_;
  uint32_t victim = kNone;
  for (uint32_t index = base; index < base + associativity_; ++index) {
    if (tags_[index] == kFree) return index;
    if (ways_[index].mshr != kNoMshr) continue;
    if (victim == kNone || ways_[index].used < ways_[victim].used) victim = index;
  }
  return victim;
}

void TagArray::Assign(uint32_t index, LineNumber line) {
  tags_[index] = line;
  ways_[index] = Way{};
  Touch(index);
}

void TagArray::Invalidate(uint32_t index) {
  tags_[index] = kFree;
  ways_[index] = Way{};
}

void TagArray::Clear() {
  std::fill(tags_.begin(), tags_.end(), kFree);
  std::fill(ways_.begin(), ways_.end(), Way{});
}

}  // namespace flagstone
