// Starts the TB schedulers of the nodes: the model of rtl/dispatch/numa_tb_root.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NUMA_TB_ROOT_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NUMA_TB_ROOT_H_

#include <cstdint>

#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/tb_root/ports.h"
#include "kernels/launch/node_plan.h"

namespace flagstone {

struct TbRootSize {
  NodeShape nodes;
  uint32_t id_bits = 16;
};

class NumaTbRoot final : public TbRoot {
 public:
  explicit NumaTbRoot(const TbRootSize& size);

  void Reset() override;
  const TbRootOut& Outputs() const override { return out_; }
  void Tick(const TbRootIn& in) override;
  bool Idle(const TbRootIn& in) const override { return kTbRootEvents.idle(out_, in, last_); }

 private:
  void Show();  // the node that it is at
  void Step();  // to the next node

  uint32_t gpus_, chiplets_;
  uint32_t id_mask_, count_mask_;
  TbRootSettings words_ = {};
  bool walks_ = false;
  uint32_t gpu_ = 0, chiplet_ = 0;
  uint32_t first_ = 0, gpu_first_ = 0, rank_ = 0, gpu_rank_ = 0;
  uint64_t sent_ = 0;  // nodes that were started and have not been seen busy
  TbRootIn last_;
  TbRootOut out_;
};

const BlockDescriptor& TbRootDescriptor();
// Throws kBadInput for a size out of range.
BlockType<TbRootIn, TbRootOut> TbRootType(const TbRootSize& size);
BlockType<TbRootIn, TbRootOut> TbRootType(const RtlParameters& parameters);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_ROOT_NUMA_TB_ROOT_H_
