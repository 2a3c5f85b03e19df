// Images of TB queues in device memory, where the TB schedulers of a launch read them.
#ifndef FLAGSTONE_SYSTEMC_TB_QUEUES_H_
#define FLAGSTONE_SYSTEMC_TB_QUEUES_H_

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/dispatch/tb_dispatch.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/tb_groups.h"
#include "kernels/launch/tb_queue_image.h"
#include "systemc/node.h"
#include "systemc/simulation.h"

namespace flagstone {

// How the images of a launch look, and who steals where the groups say that TBs are stolen.
struct TbQueueForm {
  uint32_t id_bytes = 2;
  TbQueueLayout layout = TbQueueLayout::kPacked;
  StealRule steal_rule = StealRule::kOff;
};

// Of a launch: a queue for each node, or none where no TB scheduler has a queue.
std::span<const TbGroups> QueuesOf(const LaunchRequest& request, uint32_t nodes);

class TbQueues {
 public:
  explicit TbQueues(DeviceMemory* memory) : memory_(memory) {}
  ~TbQueues();
  TbQueues(const TbQueues&) = delete;
  TbQueues& operator=(const TbQueues&) = delete;

  // Writes an image for each node that has a queue, and tells its TB scheduler where. That of an
  // only node stays, a read-only region which a launch after the first one uses again when its
  // image fits. Those of several last as long as this object: what lies there after the launch is
  // no buffer that has pages.
  void Place(std::span<const TbGroups> queues, const TbQueueForm& form,
             std::deque<NodeSetup>* nodes);

 private:
  void PlaceOfOnlyNode(const TbGroups& groups, const TbQueueForm& form, TbDispatchSetup* dispatch);
  void PlaceOfNode(uint32_t node, const TbGroups& groups, const TbQueueForm& form,
                   TbDispatchSetup* dispatch);

  DeviceMemory* memory_;
  std::vector<uint64_t> freed_;  // at the end: addresses of images
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_TB_QUEUES_H_
