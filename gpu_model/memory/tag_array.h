// Tags of a set-associative cache with sectors and LRU replacement: the state that L1 and L2 share.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_TAG_ARRAY_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_TAG_ARRAY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// A way is free, holds a line, or is reserved for a line on its way (allocate on miss): then it has
// an MSHR and cannot be replaced.
class TagArray {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr uint16_t kNoMshr = 0xffff;

  struct Way {
    SectorMask valid = 0;
    SectorMask dirty = 0;
    SectorMask pending = 0;      // asked for, not yet here
    bool evict_on_fill = false;  // written while it was on its way, in a write-evict cache
    uint16_t mshr = kNoMshr;     // set by Reserve and Release
  };

  TagArray(uint32_t size_bytes, uint32_t ways, SetHash hash = SetHash::kFolded);

  uint32_t Find(LineNumber line) const;    // index of its way, or kNone
  uint32_t Victim(LineNumber line) const;  // a free way, else the least recently used; kNone when
                                           // all ways of the set are reserved
  // As Victim, but none of which keep(index) holds.
  template <class Keep>
  uint32_t VictimBut(LineNumber line, Keep&& keep) const {
    const Set& set = set_[SetOf(line)];
    if (set.free > 0) return Victim(line);
    for (uint32_t index = set.oldest;; index = order_[index].newer) {
      if (ways_[index].mshr == kNoMshr && !keep(index)) return index;
      if (order_[index].newer == index) return kNone;
    }
  }
  void Assign(uint32_t index,
              LineNumber line);  // the way now belongs to `line`, with nothing valid
  void Invalidate(uint32_t index);
  void Clear();  // all of them
  void Reserve(uint32_t index, uint16_t mshr) { ways_[index].mshr = mshr; }
  void Release(uint32_t index);  // what it waited for is here
  void Touch(uint32_t index) {
    if (order_[index].newer != index) MakeNewest(index);
  }

  // As a lookup without timing leaves it, where no way is reserved: the line is the newest of its
  // set, with these sectors.
  struct Entered {
    bool brought = false;                    // the line was not here
    uint32_t missing = 0, written_back = 0;  // sectors: not here; dirty, of the line that had to go
  };
  Entered Enter(LineNumber line, SectorMask sectors, bool writes);

  Way& way(uint32_t index) { return ways_[index]; }
  const Way& way(uint32_t index) const { return ways_[index]; }
  LineNumber line(uint32_t index) const { return tags_[index]; }
  bool free(uint32_t index) const { return tags_[index] == kFree; }
  uint32_t sets() const { return sets_; }
  uint32_t associativity() const { return associativity_; }
  uint32_t SetOf(LineNumber line) const;

  // All that it holds, as the host has it in memory, and back: none of bytes that are no such
  // array.
  std::string Bytes() const;
  static std::optional<TagArray> OfBytes(std::string_view bytes);

 private:
  static constexpr LineNumber kFree = ~LineNumber{0};

  // The ways of a set stand in the order of their last use: the oldest and the newest name
  // themselves as their neighbours.
  struct Order {
    uint32_t older = 0, newer = 0;
  };
  struct Set {
    uint32_t oldest = 0, newest = 0;
    uint32_t victim = 0;  // all ways that are older than this one are reserved or free
    uint32_t free = 0;    // ways
    uint32_t recent = 0;  // way where the last search ended, tried first
  };

  uint32_t Search(uint32_t base, LineNumber tag) const;
  void MakeNewest(uint32_t index);

  uint32_t sets_;
  uint32_t associativity_;
  uint32_t set_bits_;  // log2(sets) rounded up
  SetHash hash_;
  std::vector<LineNumber> tags_;  // apart from ways_: searched most
  std::vector<Way> ways_;
  std::vector<Order> order_;
  mutable std::vector<Set> set_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_TAG_ARRAY_H_
