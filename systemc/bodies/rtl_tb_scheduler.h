// The `rtl` body of a TB scheduler: a Verilated model behind the seam, with its wave window.
#ifndef FLAGSTONE_SYSTEMC_BODIES_RTL_TB_SCHEDULER_H_
#define FLAGSTONE_SYSTEMC_BODIES_RTL_TB_SCHEDULER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "systemc/bodies/engine.h"
#include "systemc/bodies/tb_scheduler_abi.h"

namespace flagstone {

struct RtlBodyOptions {
  std::string path = "gpu.tb_scheduler";  // in waves and messages
  // The machine's cycle counter, read at each Tick, for waves and messages; null: ticks since
  // construction are counted instead, which is the same only where no idle tick is skipped.
  const uint64_t* cycle = nullptr;
  // The file appears, whole, when the window or the body's life ends; none appears when no cycle
  // of the window is ever ticked.
  WaveRequest wave;
  uint64_t reset_seed = 0;  // not 0: registers hold random bits before reset
};

class RtlTbScheduler final : public TbScheduler {
 public:
  // `abi` must outlive the body.
  RtlTbScheduler(const TbSchedulerAbi& abi, const RtlBodyOptions& options);
  ~RtlTbScheduler() override;

  void Reset() override { abi_.reset(body_.get()); }
  const TbSchedulerOut& Outputs() const override { return *out_; }
  // Throws kRunFailed when an assertion in the RTL fails; kInternal when the wave cannot be
  // written.
  void Tick(const TbSchedulerIn& in) override;
  // Never inside the wave window: there every cycle is to be seen.
  bool Idle(const TbSchedulerIn& in) const override;

 private:
  uint64_t Cycle() const { return cycle_ != nullptr ? *cycle_ : ticks_; }
  bool InWaveWindow() const { return Cycle() >= wave_.from && Cycle() <= wave_.to; }
  void TickTraced(const TbSchedulerIn& in);
  void CloseWave();

  const TbSchedulerAbi& abi_;
  std::string path_;
  std::unique_ptr<void, void (*)(void*)> body_;
  const TbSchedulerOut* out_;
  const uint64_t* cycle_;
  uint64_t ticks_ = 0;
  WaveRequest wave_;
  std::string open_file_;  // the temporary name of the wave that is being written, or empty
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_RTL_TB_SCHEDULER_H_
