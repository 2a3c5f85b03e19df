// Runs the root of a machine of several nodes: its wires to the TB schedulers of the nodes, and the
// way that a start takes to those of other GPUs.
#ifndef FLAGSTONE_GPU_MODEL_DISPATCH_TB_ROOT_UNIT_H_
#define FLAGSTONE_GPU_MODEL_DISPATCH_TB_ROOT_UNIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/clocked.h"
#include "gpu_model/blocks/tb_root/ports.h"
#include "gpu_model/dispatch/tb_dispatch.h"
#include "kernels/launch/node_plan.h"

namespace flagstone {

struct TbRootSetup {
  TbRoot* block = nullptr;
  TbRootSettings settings = {};
  NodeShape nodes;
  uint64_t launch_latency = 0;  // the block sees `start` in this cycle
  uint64_t switch_latency = 0;  // of a start's way to another GPU than the first
  bool force_every_tick = false;
  uint64_t first_seen_cycle = kNever;  // where a wave window begins: this tick is not skipped
};

class TbRootUnit final : public Clocked {
 public:
  explicit TbRootUnit(const TbRootSetup& setup) : setup_(setup) {}

  void Connect(std::vector<TbDispatch*> nodes);

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override { return true; }
  std::string Leftover() const override { return "nothing"; }

  // The kernel runs, or has not begun.
  bool busy() const { return !started_ || setup_.block->Outputs().busy; }

 private:
  TbRootIn Inputs() const;

  const TbRootSetup setup_;
  std::vector<TbDispatch*> nodes_;
  TbRootIn in_;
  bool started_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_DISPATCH_TB_ROOT_UNIT_H_
