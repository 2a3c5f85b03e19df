#include "gpu_model/blocks/dispatch_top/launch_prepare.h"

namespace flagstone {

void LaunchPrepare::Tick(bool begin, bool end, const DispatchRegisters& registers) {
  switch (state_) {
    case State::kIdle:
      if (begin) Begin(registers);
      break;
    case State::kRows:
      Multiply(registers[kGridY]);
      break;
    case State::kShiftY:
      Shift(&launch_.y, State::kTbs);
      if (state_ != State::kTbs) break;
      left_ = shape_.count_bits - 1;
      factor_ = launch_.tbs;
      launch_.tbs = 0;
      break;
    case State::kTbs:
      Multiply(registers[kGridX]);
      break;
    case State::kShiftX:
      Shift(&launch_.x, shape_.shares ? State::kShareUp : State::kLimit);
      factor_ = launch_.tbs;
      sms_ = {shape_.num_sms, 0};
      break;
    case State::kShareUp:
    case State::kShareDown:
      ShareOut();
      break;
    case State::kLimit:
      AddContext(registers[kTbLimit], registers);
      break;
    case State::kReady:
    case State::kFailed:
      if (end) state_ = State::kIdle;
      break;
  }
}

void LaunchPrepare::Begin(const DispatchRegisters& registers) {
  state_ = State::kRows;
  launch_ = {};
  launch_.x = {registers[kGridX], 0};
  launch_.y = {registers[kGridY], 0};
  factor_ = registers[kGridZ];
  left_ = shape_.count_bits - 1;
  tbs_ = 0;
  if (registers[kGridX] == 0 || registers[kGridY] == 0 || registers[kGridZ] == 0) {
    Fail(DispatchReason::kNoTbs);
  } else if (shape_.has_queue && registers[kQueueBaseLo] % 16 != 0) {
    Fail(DispatchReason::kUnalignedBase);
  } else if (shape_.has_queue && registers[kQueueCount] == 0) {
    Fail(DispatchReason::kNoGroups);
  }
}

// Horner's rule, a bit of the factor each time, the highest first.
void LaunchPrepare::Multiply(uint64_t other) {
  const uint64_t most =
      shape_.count_bits == 32 ? 0xffffffffu : uint64_t{1} << (shape_.count_bits - 1);
  const bool one = (factor_ >> left_ & 1) != 0;
  launch_.tbs = 2 * launch_.tbs + (one ? other : 0);
  if (launch_.tbs > most) {
    Fail(DispatchReason::kTooManyTbs);
  } else if (left_-- == 0) {
    state_ = state_ == State::kRows ? State::kShiftY : State::kShiftX;
  }
}

void LaunchPrepare::Shift(ShiftedDivisor* divisor, State next) {
  if (2 * divisor->divisor < launch_.tbs) {
    divisor->divisor *= 2;
    ++divisor->shift;
  } else {
    state_ = next;
  }
}

// Long division by the number of SMs: up to the highest bit of the share, then down.
void LaunchPrepare::ShareOut() {
  if (state_ == State::kShareUp) {
    if (2 * sms_.divisor > factor_) {
      state_ = State::kShareDown;
    } else {
      sms_ = {2 * sms_.divisor, sms_.shift + 1};
    }
    return;
  }
  const bool fits = factor_ >= sms_.divisor;
  if (fits) factor_ -= sms_.divisor;
  launch_.share_tbs = 2 * launch_.share_tbs + (fits ? 1 : 0);
  launch_.extra_sms = static_cast<uint32_t>(factor_);
  sms_.divisor /= 2;
  if (sms_.shift-- == 0) state_ = State::kLimit;
}

void LaunchPrepare::AddContext(uint32_t tb_limit, const DispatchRegisters& registers) {
  const SmCapacity& sm = shape_.sm;
  const auto fits = [&](DispatchRegister tb, uint32_t most) {
    return (tbs_ + 1) * uint64_t{registers[tb]} <= most;
  };
  const bool room = !sm.counted || (fits(kTbWarps, sm.warps) && fits(kTbRegisters, sm.registers) &&
                                    fits(kTbShared, sm.shared));
  if (room && tbs_ < shape_.contexts && (tb_limit == 0 || tbs_ < tb_limit)) {
    launch_.contexts |= 1U << tbs_++;
  } else if (tbs_ == 0) {
    Fail(DispatchReason::kDoesNotFit);
  } else {
    state_ = State::kReady;
  }
}

void LaunchPrepare::Fail(DispatchReason reason) {
  state_ = State::kFailed;
  reason_ = reason;
}

}  // namespace flagstone
