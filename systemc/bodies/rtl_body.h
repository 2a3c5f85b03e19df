// The `rtl` body of a block: a Verilated model behind the seam, with its wave window.
#ifndef FLAGSTONE_SYSTEMC_BODIES_RTL_BODY_H_
#define FLAGSTONE_SYSTEMC_BODIES_RTL_BODY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "gpu_model/blocks/block.h"
#include "systemc/bodies/block_abi.h"
#include "systemc/bodies/block_type.h"
#include "systemc/bodies/engine.h"
#include "systemc/bodies/table_ports.h"

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
    if (wave_.file.empty() || (!InWaveWindow() && open_file_.empty())) {
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
  std::string open_file_;  // the temporary name of the wave that is being written, or empty
};

// `Ports` carries values between the structs and the RTL's ports: TablePorts, or a faster class.
template <class In, class Out, class Ports = TablePorts<In, Out>>
class RtlBody final : public Block<In, Out> {
 public:
  RtlBody(const BlockType<In, Out>& type, const BlockAbi& abi, const RtlBodyOptions& options)
      : clock_(abi, options), ports_(type, clock_.ports()) {
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
    if constexpr (kHasLevels) last_ = in;
  }
  // Never inside the wave window: there every cycle is to be seen. A part of a block has no
  // quiescent_o, and is never idle.
  bool Idle(const In& in) const override {
    if constexpr (requires { out_.quiescent && !HasEvent(out_, in); }) {
      return !clock_.IsSeen() && out_.quiescent && !HasEvent(out_, in);
    } else if constexpr (kHasLevels) {
      return !clock_.IsSeen() && out_.quiescent && !HasPulse(in) && SameLevels(in, last_);
    } else {
      return false;
    }
  }

 private:
  // Some inputs are levels: an event is what changes them.
  static constexpr bool kHasLevels = requires(const In& in) {
    SameLevels(in, in) && !HasPulse(in);
  };
  struct Nothing {};

  RtlClock clock_;
  Ports ports_;
  Out out_ = {};
  [[no_unique_address]] std::conditional_t<kHasLevels, In, Nothing> last_ = {};  // of the last tick
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_RTL_BODY_H_
