// The L1s of all SMs at a coarse clock, with the load/store units in front of them. Times in core
// cycles.
#ifndef FLAGSTONE_ANALYZER_REPLAY_L1S_H_
#define FLAGSTONE_ANALYZER_REPLAY_L1S_H_

#include <cstdint>
#include <vector>

#include "analyzer/replay/memory_levels.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/tag_array.h"

namespace flagstone::replay {

class L1s {
 public:
  L1s(const MachineConfig& machine, MemoryLevels* levels);

  // The unit takes so long for what is not of global memory; returns when it is through.
  double Busy(uint32_t sm, double now, double cycles) {
    busy_ += cycles;
    return sms_[sm].unit.Serve(now, cycles);
  }
  // A request that comes at `now`: when its data are there. It may wait for the unit, a way or an
  // MSHR, and all behind it wait too.
  double Load(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  double Store(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  double Atomic(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  double Copy(uint32_t sm, LineNumber line, SectorMask sectors, double now);
  // Cycles that a unit has been busy, in the mean.
  double UnitBusy() const { return busy_ / static_cast<double>(sms_.size()); }
  // When the unit's queue has room for one more instruction.
  double RoomAt(uint32_t sm) const { return sms_[sm].ends[sms_[sm].last_end]; }
  // All requests of an instruction have been made.
  void EndInstruction(uint32_t sm);

 private:
  struct Sm {
    explicit Sm(const SmConfig& config);
    TagArray tags;
    std::vector<double> there;      // when what a way waits for has come
    std::vector<uint32_t> waiting;  // requests for what is on its way to a way
    std::vector<double> answers;    // of the last misses, a place for each MSHR
    size_t next = 0;                // of these
    Server unit;
    std::vector<double> ends;  // of the last instructions, a place for each in the queue
    size_t last_end = 0;
  };

  double Take(Sm* sm, SectorMask sectors, double now);
  void AwaitRoom(uint32_t sm, double now);
  void Evict(Sm* sm, LineNumber line);
  uint32_t TakeWay(Sm* sm, LineNumber line, double* now);

  bool cached_, sectored_, by_sector_;
  WritePolicy write_policy_;
  double hit_latency_, miss_latency_, miss_queue_;
  uint32_t sectors_per_cycle_, merges_;
  std::vector<Sm> sms_;
  MemoryLevels* levels_;
  double busy_ = 0;  // cycles, of all units
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_L1S_H_
