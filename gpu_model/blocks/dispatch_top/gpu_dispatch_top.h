// A TB scheduler with registers, a memory port and SM ports that a GPU's builder wires: the model
// of rtl/dispatch_top/gpu_dispatch_top.sv, around the model of the scheduler.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_GPU_DISPATCH_TOP_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_GPU_DISPATCH_TOP_H_

#include <cstdint>
#include <memory>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/dispatch_top/axi_read_master.h"
#include "gpu_model/blocks/dispatch_top/dispatch_control.h"
#include "gpu_model/blocks/dispatch_top/launch_prepare.h"
#include "gpu_model/blocks/dispatch_top/ports.h"
#include "gpu_model/blocks/dispatch_top/sm_contexts.h"
#include "gpu_model/blocks/dispatch_top/tb_hand_over.h"
#include "gpu_model/blocks/dispatch_top/tb_index_divider.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"

namespace flagstone {

// The schedulers it can be built around, by the RTL's parameter Scheduler.
enum class DispatchScheduler : uint8_t { kLrr, kChunk, kPaverWide, kPaver };
inline constexpr uint32_t kDispatchSchedulers = 4;
const TbSchedulerDescriptor& DescriptorOf(DispatchScheduler scheduler);

struct DispatchTopSize {
  DispatchScheduler scheduler = DispatchScheduler::kPaverWide;
  uint32_t num_sms = 15;
  uint32_t id_bits = 16;  // 16 or 32
  uint32_t contexts = 8;
  uint32_t descriptors = TbSchedulerSize::kDescriptors;
  uint32_t reads = 4;
  SmCapacity sm;

  bool HasQueue() const { return scheduler >= DispatchScheduler::kPaverWide; }
  uint32_t CountBits() const { return id_bits < 32 ? id_bits + 1 : 32; }
};

class GpuDispatchTop final : public DispatchTop {
 public:
  explicit GpuDispatchTop(const DispatchTopSize& size);

  void Reset() override;
  const DispatchTopOut& Outputs() const override { return out_; }
  void Tick(const DispatchTopIn& in) override;
  bool Idle(const DispatchTopIn& in) const override {
    return kDispatchTopEvents.idle(out_, in, {});
  }

 private:
  // A register that may be written or read, or none.
  const RegisterRow* Find(uint32_t offset) const;
  uint32_t Bits(const RegisterRow& row) const {
    return row.bits != 0 ? row.bits : size_.CountBits();
  }
  uint32_t Value(uint32_t which) const;  // a register's number

  // What the AXI4-Lite slave does in this cycle, and what control hears of it.
  void TickSlave(const DispatchTopIn& in, DispatchControl::In* control);
  void Write(const DispatchTopIn& in, DispatchControl::In* control);
  void Read(uint32_t offset, DispatchControl::In* control);
  TbSchedulerIn SchedulerInputs(bool start, const PreparedLaunch& launch, const SmMask& ready,
                                bool memory_ready) const;
  void Begin(const PreparedLaunch& launch);
  void Show();

  DispatchTopSize size_;
  DispatchRegisters registers_ = {};
  bool write_ready_ = false, write_answer_ = false, write_error_ = false;
  bool read_ready_ = false, read_answer_ = false, read_error_ = false;
  uint32_t read_data_ = 0;
  LaunchPrepare prepare_;
  DispatchControl control_;
  TbHandOver hand_over_;
  SmContexts contexts_;
  TbIndexDivider divider_;
  AxiReadMaster reads_;
  std::unique_ptr<TbScheduler> scheduler_;
  // Of the launch that runs.
  uint64_t tbs_ = 0, entry_ = 0, parameters_ = 0;
  uint32_t allowed_ = 0;
  uint32_t sm_ = 0, context_ = 0;  // of the TB that is divided, or stands at its SM's port
  DispatchTopOut out_;
};

const BlockDescriptor& DispatchTopDescriptor();
// Throws kBadInput for a size out of range, as the next one does.
DispatchTopSize DispatchTopSizeOf(const RtlParameters& parameters);
BlockType<DispatchTopIn, DispatchTopOut> DispatchTopType(const RtlParameters& parameters);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_GPU_DISPATCH_TOP_H_
