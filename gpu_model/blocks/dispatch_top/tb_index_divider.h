// The block index of a TB: the model of rtl/dispatch_top/tb_index_divider.sv. What it computes is a
// division; how long it takes follows from the shifts.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_INDEX_DIVIDER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_INDEX_DIVIDER_H_

#include <cstdint>

#include "gpu_model/blocks/dispatch_top/launch_prepare.h"

namespace flagstone {

struct TbIndex {
  uint32_t id = 0, x = 0, y = 0, z = 0;
};

class TbIndexDivider {
 public:
  void Reset() { cycles_ = 0, valid_ = known_ = false; }
  bool Ready() const { return !valid_ && cycles_ == 0; }
  bool Valid() const { return valid_; }
  const TbIndex& index() const { return index_; }

  void Start(uint64_t grid_x, uint64_t grid_y, const PreparedLaunch& launch) {
    known_ = false;
    x_ = grid_x;
    y_ = grid_y;
    division_cycles_ = launch.x.shift + launch.y.shift + 2;
  }

  void Tick(bool take, uint32_t id, bool gone) {
    if (gone) valid_ = false;
    if (cycles_ > 0 && --cycles_ == 0) valid_ = true;
    if (!take) return;
    const bool follows = known_ && id == index_.id + 1;
    index_ = {id, static_cast<uint32_t>(id % x_), static_cast<uint32_t>(id / x_ % y_),
              static_cast<uint32_t>(id / x_ / y_)};
    known_ = true;
    if (follows) {
      valid_ = true;
    } else {
      cycles_ = division_cycles_;
    }
  }

 private:
  uint64_t x_ = 1, y_ = 1;
  uint32_t division_cycles_ = 0;
  uint32_t cycles_ = 0;  // still to go
  bool valid_ = false;
  bool known_ = false;  // a TB of this launch was taken before
  TbIndex index_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_INDEX_DIVIDER_H_
