// The `rtl` body of a block: a Verilated model behind the seam, with its wave window.
#ifndef FLAGSTONE_SYSTEMC_COSIM_RTL_BODY_H_
#define FLAGSTONE_SYSTEMC_COSIM_RTL_BODY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/block_type.h"
#include "systemc/cosim/block_abi.h"
#include "systemc/cosim/engine.h"
#include "systemc/cosim/table_ports.h"
#include "systemc/cosim/wave_file.h"

namespace flagstone {

struct RtlBodyOptions {
  std::string path = "gpu.tb_scheduler";  // in waves and messages
  // The machine's cycle counter, read at each Tick, for waves and messages; null: ticks since
  // construction are counted instead, which is the same only where no idle tick is skipped.
  const uint64_t* cycle = nullptr;
  // The file appears, whole, when the window or the body's life ends; none appears when no cycle
  // of the window is ever ticked. What cannot be written then is thrown by ThrowWaveError.
  WaveRequest wave;
  uint64_t reset_seed = 0;  // not 0: registers hold random bits before reset
};

// What does not depend on the ports: the Verilated model's life, its clock and its wave.
class RtlClock {
 public:
  // `abi` must outlive the body.
  RtlClock(const BlockAbi& abi, const RtlBodyOptions& options);
  ~RtlClock() { CloseWave(); }
  RtlClock(const RtlClock&) = delete;
  RtlClock& operator=(const RtlClock&) = delete;

  std::span<const BlockPort> ports() const;
  void Reset() { abi_.reset(body_.get()); }
  void Settle() { abi_.settle(body_.get()); }
  // Throws kRunFailed when an assertion in the RTL fails; kInternal when the wave cannot be
  // written.
  void Edge() {
    if (wave_.file.empty() || (!InWaveWindow() && open_wave_ == nullptr)) {
      if (!abi_.edge(body_.get())) ThrowAssertionFailed();
    } else {
      EdgeTraced();
    }
    ++ticks_;
  }
  bool IsSeen() const { return !wave_.file.empty() && InWaveWindow(); }

 private:
  uint64_t Cycle() const { return cycle_ != nullptr ? *cycle_ : ticks_; }
  bool InWaveWindow() const { return Cycle() >= wave_.from && Cycle() <= wave_.to; }
  void EdgeTraced();
  void CloseWave();
  [[noreturn]] void ThrowAssertionFailed() const;

  const BlockAbi& abi_;
  std::string path_;
  std::unique_ptr<void, void (*)(void*)> body_;
  const uint64_t* cycle_;
  uint64_t ticks_ = 0;
  WaveRequest wave_;
  std::unique_ptr<WaveFile> open_wave_;  // that is being written, or null
};

// `Ports` carries values between the structs and the RTL's ports: TablePorts, or a faster class.
template <class In, class Out, class Ports = TablePorts<In, Out>>
class RtlBody final : public Block<In, Out> {
 public:
  RtlBody(const BlockType<In, Out>& type, const BlockAbi& abi, const RtlBodyOptions& options)
      : clock_(abi, options), ports_(type, clock_.ports()), events_(type.events) {
    ports_.Read(&out_);
  }

  void Reset() override {
    clock_.Reset();
    ports_.Drive({});  // so that it knows of the zeros at the inputs
    ports_.Read(&out_);
    last_ = {};
  }
  const Out& Outputs() const override { return out_; }
  const Out& Settle(const In& in) override {
    ports_.Drive(in);
    clock_.Settle();
    ports_.Read(&out_);
    return out_;
  }
  void Tick(const In& in) override {
    ports_.Drive(in);
    clock_.Edge();
    ports_.Read(&out_);
    if (events_.needs_last) last_ = in;
  }
  // Never inside the wave window: there every cycle is to be seen.
  bool Idle(const In& in) const override {
    return events_.idle(out_, in, last_) && !clock_.IsSeen();
  }

 private:
  RtlClock clock_;
  Ports ports_;
  EventRule<In, Out> events_;
  Out out_ = {};
  In last_ = {};  // of the last tick, where the rule needs it
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_RTL_BODY_H_
