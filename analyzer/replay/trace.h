// What the warps of a TB do, as far as time and data depend on it: their requests to global memory
// in the order of the program, what lies between them, and barriers.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TRACE_H_
#define FLAGSTONE_ANALYZER_REPLAY_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu_model/memory/packet.h"

namespace flagstone::replay {

struct Step {
  enum class Kind : uint8_t {
    kLoad,
    kCopy,  // an asynchronous one by many bytes, past the L1
    kStore,
    kAtomic,
    kResult,  // waits for a load, and those before it
    kBarrier,
    kEnd,
  };
  uint32_t line = 0;    // of a request, less its access's base; of kResult: which load, from 1
  uint16_t access = 0;  // of a request: the base's index
  uint16_t gap = 0;     // before it
  SectorMask sectors = 0;
  Kind kind = Kind::kEnd;
  bool goes_on = false;  // one more request of the access before, without a gap
};

// How much a TB does.
struct Amount {
  double steps = 0;
  double loaded = 0, stored = 0;  // sectors
  Amount& operator+=(const Amount& other);
};

// The steps of all warps of a TB, one warp after the other.
struct Trace {
  std::vector<Step> steps;
  std::vector<uint32_t> first;  // of each warp
  Amount whole, kept;           // that the TB does, and that the steps do

  // The steps of the next warp.
  void Append(std::span<const Step> warp);
  // So many steps of each warp, and at most as many of what follows its last load.
  Trace ShortenedTo(uint32_t steps_of_warp) const;
  // Of each of so many accesses, how many different sectors.
  std::vector<double> CountSectors(size_t accesses) const;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TRACE_H_
