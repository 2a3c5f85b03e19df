// Which ready warp issues: the policies of a warp scheduler, and the table of their names.
#ifndef FLAGSTONE_GPU_MODEL_SM_WARP_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_SM_WARP_SCHEDULER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace flagstone {

// Warps are slots of the SM, at most 64. One object per scheduler.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  virtual void Started(uint32_t warp) = 0;   // the slot now holds the youngest warp
  virtual void Finished(uint32_t warp) = 0;  // its warp has exited
  // One of the candidates, of which there is at least one; it will issue in this cycle.
  virtual uint32_t Pick(uint64_t candidates) = 0;
};

struct WarpSchedulerPolicy {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<WarpScheduler> (*make)();
};
std::span<const WarpSchedulerPolicy> WarpSchedulerPolicies();
// Throws kBadInput that lists the known names.
const WarpSchedulerPolicy& FindWarpScheduler(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_WARP_SCHEDULER_H_
