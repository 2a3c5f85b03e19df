// The loop of a replay: warps, each with the time at which it goes on. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_REPLAY_WARP_REPLAY_H_
#define FLAGSTONE_ANALYZER_REPLAY_WARP_REPLAY_H_

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/code_cache.h"
#include "analyzer/replay/event_wheel.h"
#include "analyzer/replay/l1s.h"
#include "analyzer/replay/memory_levels.h"
#include "analyzer/replay/replayed.h"
#include "analyzer/replay/traces.h"
#include "analyzer/replay/warp_queue.h"

namespace flagstone::replay {

// Who hands out TBs.
class TbSource {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  virtual ~TbSource() = default;
  // The TB that the SM starts next; kNone: there is none for it.
  virtual uint32_t Next(uint32_t sm) = 0;
  // When the first TB of a place starts; places are dealt to SMs in turn.
  virtual double Start(uint32_t place) = 0;
  // A TB has ended, the `count`-th one of all.
  virtual void Ended(size_t /*count*/) {}
};

class WarpReplay {
 public:
  // `steps`: of each warp that are looked at; 0: all.
  WarpReplay(Traces* traces, uint32_t steps, const MachineConfig& machine, uint32_t tbs_per_sm,
             const DeviceMemory* warm);

  // `tbs`: how many there are. Takes no memory after its start but for traces that are new.
  void Run(TbSource* source, size_t tbs);
  // From now on each TB is the beginning of one that touches of each access so many times as many
  // sectors.
  void SetWholeTbs(std::vector<double> times) { fresh_levels_.SetWholeTbs(std::move(times)); }
  // From now on the L2 misses at most so many sectors for each that warps load.
  void SetMostMisses(double of_asked) { fresh_levels_.SetMostMisses(of_asked); }
  // What has moved until now. What is written stays in the L2 only once, so it counts as moved.
  Replayed Now() const;
  const MemoryLevels& levels() const { return levels_; }
  // Of the TBs that have started.
  const Amount& whole() const { return whole_; }
  const Amount& kept() const { return kept_; }
  uint32_t sms() const { return sms_; }
  uint32_t Window() const { return sms_ * tbs_per_sm_; }  // TBs in flight

 private:
  static constexpr uint32_t kRing = 32;  // loads of a warp of which it is known when they come
  static constexpr double kAtOnce = 8;   // cycles that a warp may be ahead of the others

  struct Warp {
    const Step* at = nullptr;
    const uint32_t* bases = nullptr;
    bool gap_is_over = false;
    bool waits = false;  // at a barrier
    uint16_t on_sm = 0;  // its place there
    uint32_t place = 0;  // of its TB
    uint32_t scheduler = 0;
    uint32_t loads = 0;
    double loaded = 0;                     // when all its loads have come
    double last = 0;                       // and its stores are over
    std::array<double, kRing> there = {};  // when a load and those before it have come
  };
  // A place for a TB on an SM.
  struct Place {
    uint32_t sm = 0;
    uint32_t left = 0;     // warps that are not over
    uint32_t arrived = 0;  // at the barrier
    double end = 0;
  };

  void Clear(uint32_t places);
  void StartTb(uint32_t place, uint32_t tb, double now);
  double Issue(uint32_t slot, uint32_t sm, uint16_t gap, double now);
  void GoOn(uint32_t slot, double now);
  void Wait(uint32_t slot, uint32_t sm, double now);
  void TakeWaiting(uint32_t sm, double now);
  double Access(Warp* warp, uint32_t sm, double now);
  double Request(Step::Kind kind, uint32_t sm, LineNumber line, SectorMask sectors, double now);
  void ReleaseIfAll(uint32_t place, double now);
  void EndWarp(uint32_t slot, double now);

  Traces& traces_;
  const uint32_t steps_, warps_, tbs_per_sm_, sms_, schedulers_;
  MemoryLevels fresh_levels_;
  MemoryLevels levels_;
  const L1s fresh_l1s_;
  L1s l1s_;
  std::vector<Server> issue_;  // by scheduler
  const WarpQueue fresh_queue_;
  std::vector<WarpQueue> queues_;  // by SM
  std::vector<bool> called_;       // by SM: the wheel will tell when the unit has room
  const bool fetches_;
  const CodeCache fresh_code_;
  std::vector<CodeCache> code_;  // by SM
  std::vector<Place> places_;
  std::vector<Warp> slots_;
  std::vector<std::array<uint32_t, WarpQueue::kMost>> slot_on_;  // by SM
  std::vector<uint32_t> bases_;                                  // by place
  std::optional<EventWheel> wheel_;                              // slots, then SMs
  uint32_t first_sm_ = 0;                                        // of the wheel's players
  double end_ = 0;                                               // of the last TB that has ended
  double issued_ = 0;                                            // cycles, of all schedulers
  Amount whole_, kept_;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_WARP_REPLAY_H_
