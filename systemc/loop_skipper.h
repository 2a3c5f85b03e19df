// Skips the iterations of a LoopSample that are not simulated: once all warps of the GPU wait at a
// gap, executes it, TBs side by side, so that memory and the L2's tags are as behind it, and lets
// the warps go on.
#ifndef FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_
#define FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "gpu_model/simt/loop_rest.h"
#include "gpu_model/sm/loop_sample.h"
#include "systemc/gpu.h"

namespace flagstone {

class LoopSkipper {
 public:
  // Of a GPU of one node. All must outlive it.
  // `interrupted`, polled, ends a gap early; null: nobody does.
  LoopSkipper(const LoopSample& loop, const Program& program, DeviceMemory* memory,
              const AddressMap& map, const std::atomic<bool>* interrupted, GpuModule* gpu);

  // After the commits of core cycle `now`.
  void Watch(uint64_t now);
  SkippedLoop Counts() const;

  // Cycles after which all wait, if no TB has come: one may be on its way.
  static constexpr uint64_t kPatience = 64;

 private:
  bool AllWait() const;
  void Skip(uint64_t now);
  void Touch(const StepResult& step);

  const Program& program_;
  const AddressMap& map_;
  const std::atomic<bool>* const interrupted_;
  GpuModule* const gpu_;
  LoopRest rest_;
  uint64_t waiting_since_ = kNever;
  uint64_t issued_ = 0;  // TBs by then
  uint64_t reads_ = 0, writes_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_LOOP_SKIPPER_H_
