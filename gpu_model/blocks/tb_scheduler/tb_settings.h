// What whoever starts a kernel writes into the registers of the TB schedulers that have some:
// the divisions of `chunk` are done here, once, so that the hardware needs none.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TB_SETTINGS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TB_SETTINGS_H_

#include <cstdint>

#include "base/random.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// What a kernel's launch on a machine looks like to a TB scheduler.
struct TbLaunchShape {
  uint32_t columns = 1;  // gridDim.x
  uint32_t rows = 1;     // gridDim.y * gridDim.z
  uint32_t sms = 1;
  uint32_t tbs_per_sm = 1;  // that an SM has room for

  uint32_t Tbs() const { return columns * rows; }
};

// bcs, cache_fit: TBs that an SM may hold, 1 to 255.
TbSettings LimitSettings(uint32_t tbs);
// For tests: mostly few, else any, or a power of two; any where SMs have more than 255 contexts,
// since then the limit alone counts.
TbSettings RandomLimit(const TbLaunchShape& shape, SplitMix64* random);

// swizzle: rows in a band, which need not be more than the grid has.
TbSettings SwizzleSettings(const TbLaunchShape& shape, uint32_t band_rows);

// chunk.
TbSettings ChunkSettings(const TbLaunchShape& shape);

// cta_map: how TBs map to SMs (Liu, Liu and Wang, Algorithm 3 in its corrected form).
enum class CtaMapDirection : uint8_t { kRoundRobin, kX, kY };
TbSettings CtaMapSettings(const TbLaunchShape& shape, CtaMapDirection direction);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TB_SETTINGS_H_
