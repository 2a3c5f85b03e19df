// Why a cache missed: the classes of Hill and Smith, as PAVER counts them (section 2.2).
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_MISS_CLASSES_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_MISS_CLASSES_H_

#include <cstdint>
#include <list>
#include <unordered_map>

#include "gpu_model/memory/packet.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// A cache of as many lines beside an L1 or a slice of the L2, fully associative and LRU, that sees
// the same accesses. A miss is
//   cold      where no load has asked for the sector before,
//   written   where it was evicted because of a store or an atomic since it was last asked for,
//   conflict  where the cache beside has it: only the sets did not keep it,
//   capacity  else.
// It has what it was asked for at once; the other one reserves a way until the data comes. A line
// that was lost that way counts as a conflict.
class MissClasses {
 public:
  explicit MissClasses(uint32_t lines) : capacity_(lines) {}

  // An access that the cache has taken, hit or not. `missed`: the sectors that it sends for. A
  // cache without sectors counts a line as one.
  void Load(LineNumber line, SectorMask sectors, SectorMask missed);
  // A store or an atomic that takes the line out of an L1.
  void Evict(LineNumber line);

  const L1MissClasses& counts() const { return counts_; }

 private:
  struct Entry {
    SectorMask seen = 0;     // asked for, ever
    SectorMask written = 0;  // of these, evicted by a store since
    SectorMask held = 0;     // in the cache beside
    bool resident = false;
    std::list<LineNumber>::iterator place;  // where it is resident
  };

  uint32_t capacity_;
  std::list<LineNumber> recent_;  // the latest first
  std::unordered_map<LineNumber, Entry> lines_;
  L1MissClasses counts_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_MISS_CLASSES_H_
