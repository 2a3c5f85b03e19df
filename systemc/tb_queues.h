// Images of TB queues in device memory, where the TB schedulers of a launch read them.
#ifndef FLAGSTONE_SYSTEMC_TB_QUEUES_H_
#define FLAGSTONE_SYSTEMC_TB_QUEUES_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/dispatch/tb_dispatch.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/tb_groups.h"
#include "kernels/launch/tb_queue_image.h"
#include "systemc/node.h"

namespace flagstone {

// How the images of a launch look, and who steals where the groups say that TBs are stolen.
struct TbQueueForm {
  uint32_t id_bytes = 2;
  TbQueueLayout layout = TbQueueLayout::kPacked;
  StealRule steal_rule = StealRule::kOff;
};

// The image of a machine of one node, in a read-only region of its own; a launch after the first
// one uses the region again when the image fits.
void PlaceQueue(const TbGroups& groups, const TbQueueForm& form, DeviceMemory* memory,
                TbDispatchSetup* dispatch);

// An image of each of several nodes, as long as the launch runs: what lies there after it is no
// buffer that has pages.
class NodeQueues {
 public:
  explicit NodeQueues(DeviceMemory* memory) : memory_(memory) {}
  ~NodeQueues();
  NodeQueues(const NodeQueues&) = delete;
  NodeQueues& operator=(const NodeQueues&) = delete;

  void Place(const std::vector<TbGroups>& queues, const TbQueueForm& form,
             std::deque<NodeSetup>* nodes);

 private:
  DeviceMemory* memory_;
  std::vector<uint64_t> addresses_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_TB_QUEUES_H_
