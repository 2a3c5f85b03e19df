// A warp scheduler as data: its name, its model, and where it has RTL, its block. A new one is a
// folder beside this file with a model and a descriptor, and a line in list.cc.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_DESCRIPTOR_H_

#include <memory>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

using WarpSchedulerType = BlockType<WarpSchedulerIn, WarpSchedulerOut>;

// Which TBs are a group to a warp scheduler (WarpSchedulerIn::started_group): it does not care, as
// the TB scheduling policy says, or pairs of consecutive ids.
enum class TbGrouping : uint8_t { kNone, kPolicy, kPairs };

struct WarpSchedulerDescriptor {
  std::string_view name;     // as a user gives it
  std::string_view summary;  // one line
  std::unique_ptr<WarpScheduler> (*model)(const WarpSchedulerConfig& config) = nullptr;
  bool hears_lost_locality = false;  // it needs the L1's victim tags (CCWS)
  bool knows_leading = false;        // its `leading` has a meaning (PAS)
  bool compares_epochs = false;      // it needs the ends of epochs (PAS's duel)
  bool takes_group_sizes = false;    // software writes the size of its group (GroupSizes)
  TbGrouping grouping = TbGrouping::kNone;
  // The rest where it has RTL; several names may stand for one block with other parameters.
  BlockDescriptor block = {};
  // Of parameters that are in range; throws kBadInput for others.
  WarpSchedulerType (*type)(const RtlParameters& parameters) = nullptr;
  RtlParameters (*parameters)(const WarpSchedulerConfig& config) = nullptr;

  bool HasRtl() const { return type != nullptr; }
};

// All of them, in the order in which they are listed.
const std::vector<const WarpSchedulerDescriptor*>& AllWarpSchedulers();
// Throws kBadInput, listing the known ones, for an unknown name.
const WarpSchedulerDescriptor& FindWarpScheduler(std::string_view name);

// After Reset(). Throws kBadInput as FindWarpScheduler does.
std::unique_ptr<WarpScheduler> MakeWarpScheduler(std::string_view name,
                                                 const WarpSchedulerConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_DESCRIPTOR_H_
