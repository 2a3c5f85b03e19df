// Races on shared memory: two accesses of one byte by different warps of a TB, at least one of them
// a write and not both atomic, that no barrier orders.
//
// Each warp has a vector clock (as in FastTrack: Flanagan and Freund, PLDI 2009): an access before
// a barrier is known to the warps that have left it. Each byte keeps its last write and its last
// reads by two warps, which is all that can matter between barriers of the whole TB; with barriers
// of a part of it (bar.sync a, b) a race with an older read may stay unseen. What is reported is a
// race. Order made by other means than barriers (flags, locks) is not seen, and lanes of one warp
// never race: they execute together here.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_RACE_CHECK_H_
#define FLAGSTONE_GPU_MODEL_SIMT_RACE_CHECK_H_

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone::simt {

// Of one TB slot.
class RaceCheck {
 public:
  RaceCheck(const KernelLaunch& launch, uint32_t shared_bytes);

  void Start(uint64_t tb);
  // The lanes of the mask access `bytes` bytes at their offsets in shared memory.
  void Access(uint32_t warp, uint32_t pc, uint32_t bytes, const std::array<uint64_t, 32>& addresses,
              uint32_t lanes);
  // A wgmma reads these bytes: what other accesses wrote there, a fence.proxy.async must have
  // ordered too.
  void ReadByProxy(uint32_t warp, uint32_t pc, uint64_t address, uint32_t bytes);
  // fence.proxy.async: what the warp knows of by now, reads of wgmma see.
  void FenceProxy(uint32_t warp);
  // A warp comes to a barrier; leaves it, when all have come; and the next round begins.
  void Arrive(uint32_t warp, uint32_t barrier);
  void Leave(uint32_t warp, uint32_t barrier);
  void EndRound(uint32_t barrier) { barriers_[barrier] = fenced_barriers_[barrier] = {}; }
  // What the warp did is known wherever a barrier has not waited for it.
  void Exit(uint32_t warp);

 private:
  static constexpr uint32_t kMaxWarps = 32;
  using Clock = std::array<uint32_t, kMaxWarps>;
  struct Event {
    uint32_t time = 0;  // of the warp's own clock, from 1; 0: there was none
    uint32_t pc = 0;
    uint8_t warp = 0;
    bool atomic = false;
  };
  struct Byte {
    Event write;
    std::array<Event, 2> reads;  // by two warps, the later one first
  };

  bool Orders(const Event& earlier, uint32_t warp) const {
    return earlier.time <= clocks_[warp][earlier.warp];
  }
  void Check(const Event& earlier, const Event& now, uint64_t byte);
  void Note(const Event& earlier, const Event& now, uint64_t byte, const char* lacks);
  static void Raise(Clock* clock, const Clock& other);

  const KernelLaunch& launch_;
  uint64_t tb_ = 0;
  std::array<Clock, kMaxWarps> clocks_;
  std::array<Clock, 16> barriers_;
  Clock exited_;
  // The same of what fences have ordered for reads of wgmma.
  std::array<Clock, kMaxWarps> fenced_;
  std::array<Clock, 16> fenced_barriers_;
  std::vector<Byte> bytes_;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_RACE_CHECK_H_
