// Skips the iterations of a LoopSample that are not simulated: once all warps of the GPU wait at
// the gap, executes it, TBs side by side, so that memory and the L2's tags are as behind it, and
// lets the warps go on. Keeps the totals from time to time.
#ifndef FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_
#define FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/simt/loop_rest.h"
#include "gpu_model/sm/loop_sample.h"
#include "systemc/gpu.h"
#include "systemc/loop_progress.h"

namespace flagstone {

class LoopSkipper {
 public:
  // Of a GPU of one node. All must outlive it.
  // `interrupted`, polled, ends a gap early; null: nobody does.
  LoopSkipper(const LoopSample& loop, const Program& program, DeviceMemory* memory,
              const AddressMap& map, const ClockConfig& clock, const std::atomic<bool>* interrupted,
              GpuModule* gpu);

  // After the commits of core cycle `now`.
  void Watch(uint64_t now);
  LoopProgress TakeProgress() { return std::move(progress_); }

  // Cycles after which all wait, if no TB has come: one may be on its way.
  static constexpr uint64_t kPatience = 64;

 private:
  void KeepTotals(uint64_t now);
  bool AllWait() const;
  void Skip(uint64_t now);
  void Touch(const StepResult& step);

  const LoopSample& loop_;
  const Program& program_;
  const AddressMap& map_;
  const ClockConfig& clock_;
  const std::atomic<bool>* const interrupted_;
  GpuModule* const gpu_;
  LoopRest rest_;
  uint64_t waiting_since_ = kNever;
  uint64_t issued_ = 0;  // TBs by then
  LoopCounts counts_;
  uint64_t next_mark_ = 0;    // of iterations
  uint64_t first_waits_ = 0;  // iterations when warps began to wait that wait now
  bool waits_ = false;        // one does
  LoopProgress progress_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_
