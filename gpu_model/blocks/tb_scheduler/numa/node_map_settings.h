// What starts the TB schedulers of the nodes: a map of TBs to nodes as the registers of each.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NODE_MAP_SETTINGS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NODE_MAP_SETTINGS_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "launch/node_plan.h"

namespace flagstone {

struct NodeTbs {
  TbSettings settings = {};  // numa_tb_scheduler.h
  uint32_t count = 0;
};

// The TBs that Deal gives to `node`, in the order in which it hands them out: by id, or for columns
// down each one. The map must deal each GPU one part at most, or units that are all of one size
// (ChipletFirst, GpuFirst): other maps are no sequence of equal runs. Throws kInternal for those.
NodeTbs TbsOfNode(const NodeShape& nodes, const TbMap& map, const TbLaunchShape& launch,
                  uint32_t node);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NODE_MAP_SETTINGS_H_
