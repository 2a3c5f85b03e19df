// What crosses the ports of the root that starts the TB schedulers of the nodes.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_PORTS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// What the root samples at start (rtl/dispatch/numa_tb_root.sv), in the order of its ports.
enum TbRootWord : uint8_t {
  kGpuStep,
  kChipletStep,
  kRunTbs,
  kStep,
  kLineTbs,
  kLineJump,
  kRunJump,
  kGpuRank,
  kChipletRank,
  kLastGpu,
  kFullTbs,
  kFullExtra,
  kFullShort,
  kFullLack,
  kLastTbs,
  kLastExtra,
  kLastShort,
  kLastLack,
  kTbRootWords
};
using TbRootSettings = std::array<uint32_t, kTbRootWords>;

using NodeMask = std::array<uint64_t, 1>;  // by node

struct TbRootIn {
  bool start = false;
  TbRootSettings settings = {};  // under start
  NodeMask node_busy = {};
};

struct TbRootOut {
  NodeMask node_start = {};    // one node at most
  uint32_t node_tb_count = 0;  // under node_start, as all of the node's
  TbSettings node = {};        // of its numa_tb_scheduler
  bool busy = false;
  bool quiescent = true;
};

inline constexpr EventRule<TbRootIn, TbRootOut> kTbRootEvents = {
    [](const TbRootOut& out, const TbRootIn& in, const TbRootIn& last) {
      return out.quiescent && !in.start && in.node_busy == last.node_busy;
    },
    /*compares_last=*/true};

using TbRoot = Block<TbRootIn, TbRootOut>;

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_PORTS_H_
