// What a launch needs to know of itself before it begins: the model of
// rtl/dispatch_top/launch_prepare.sv, step by step.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_LAUNCH_PREPARE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_LAUNCH_PREPARE_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/dispatch_top/ports.h"
#include "gpu_model/blocks/dispatch_top/register_map.h"

namespace flagstone {

using DispatchRegisters = std::array<uint32_t, kDispatchRegisters>;

// What an SM holds at most; `counted`: a TB's resources count.
struct SmCapacity {
  bool counted = true;
  uint32_t warps = 48;
  uint32_t registers = 32768;
  uint32_t shared = 49152;
};

// A divisor, shifted to the left as far as an id may need.
struct ShiftedDivisor {
  uint64_t divisor = 0;
  uint32_t shift = 0;
};

// What tb_index_divider and the scheduler are given.
struct PreparedLaunch {
  uint64_t tbs = 0;
  ShiftedDivisor x, y;
  uint64_t share_tbs = 0;
  uint32_t extra_sms = 0;
  uint32_t contexts = 0;  // a bit for each TB that an SM may hold, the lowest first
};

class LaunchPrepare {
 public:
  struct Shape {
    uint32_t num_sms = 15;
    uint32_t count_bits = 17;  // 17 or 32
    uint32_t contexts = 8;
    bool has_queue = true;
    bool shares = false;
    SmCapacity sm;
  };

  explicit LaunchPrepare(const Shape& shape) : shape_(shape) {}

  void Reset() { state_ = State::kIdle; }
  bool Ready() const { return state_ == State::kReady; }
  bool Fails() const { return state_ == State::kFailed; }
  DispatchReason reason() const { return reason_; }
  const PreparedLaunch& launch() const { return launch_; }

  void Tick(bool begin, bool end, const DispatchRegisters& registers);

 private:
  enum class State : uint8_t {
    kIdle,
    kRows,
    kShiftY,
    kTbs,
    kShiftX,
    kShareUp,
    kShareDown,
    kLimit,
    kReady,
    kFailed
  };

  void Begin(const DispatchRegisters& registers);
  void Multiply(uint64_t other);
  void Shift(ShiftedDivisor* divisor, State next);
  void ShareOut();
  void AddContext(uint32_t tb_limit, const DispatchRegisters& registers);
  void Fail(DispatchReason reason);

  Shape shape_;
  State state_ = State::kIdle;
  DispatchReason reason_ = DispatchReason::kNone;
  PreparedLaunch launch_;
  uint32_t left_ = 0;  // bits of the factor still to be looked at, less one
  uint64_t factor_ = 0;
  uint32_t tbs_ = 0;  // that an SM holds so far
  ShiftedDivisor sms_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_LAUNCH_PREPARE_H_
