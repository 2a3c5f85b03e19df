// What the root that starts the TB schedulers of the nodes samples: a map of TBs to nodes as the
// contents of its registers. Divisions and products are done here, so that the hardware needs none.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NODE_MAP_SETTINGS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NODE_MAP_SETTINGS_H_

#include "gpu_model/blocks/tb_root/ports.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "kernels/launch/node_plan.h"

namespace flagstone {

// Each node then hands out the TBs that Deal gives to it by id, or for columns down each one. The
// map must deal each GPU one part at most, or units that are all of one size (ChipletFirst,
// GpuFirst): other maps are no sequence of equal runs. Throws kInternal for those.
TbRootSettings NodeMapSettings(const NodeShape& nodes, const TbMap& map,
                               const TbLaunchShape& launch);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NODE_MAP_SETTINGS_H_
