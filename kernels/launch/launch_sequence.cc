#include "kernels/launch/launch_sequence.h"

#include <algorithm>

#include "base/error.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

std::span<std::byte> FirstElement(const LaunchLoop& loop, DeviceMemory& memory) {
  return memory.Bytes(memory.Named(loop.until_zero)).first(loop.flag_bytes);
}

}  // namespace

bool LaunchSequence::FlagIsZero(const LaunchLoop& loop) const {
  const auto flag = FirstElement(loop, bound_->memory);
  return std::all_of(flag.begin(), flag.end(), [](std::byte b) { return b == std::byte{0}; });
}

bool LaunchSequence::RunsAgain(const LaunchLoop& loop) const {
  if (loop.until_zero.empty()) return round_ < loop.repeat;
  if (FlagIsZero(loop)) return false;
  if (round_ < loop.repeat) return true;
  ThrowRunFailed(
      "{}: '{}' repeats without end: the first element of '{}' is still not 0 after {} rounds "
      "(key 'repeat' sets how many there may be)",
      loop.where, bound_->launches[loop.first + loop.count - 1].kernel->name, loop.until_zero,
      round_);
}

uint64_t LaunchSequence::Count() const {
  uint64_t count = 0;
  for (const LaunchLoop& loop : bound_->loops) {
    if (!loop.until_zero.empty()) return 0;
    count += uint64_t{loop.repeat} * loop.count;
  }
  return count;
}

const KernelLaunch* LaunchSequence::Next() {
  if (loop_ == bound_->loops.size()) return nullptr;
  const LaunchLoop* loop = &bound_->loops[loop_];
  if (launch_ == loop->count) {
    launch_ = 0;
    ++round_;
    if (!RunsAgain(*loop)) {
      round_ = 0;
      if (++loop_ == bound_->loops.size()) return nullptr;
      loop = &bound_->loops[loop_];
    }
  }
  if (launch_ == 0 && !loop->until_zero.empty()) {
    std::ranges::fill(FirstElement(*loop, bound_->memory), std::byte{0});
  }
  Prepare(loop->first + launch_, /*contents=*/true);
  return &bound_->launches[loop->first + launch_++];
}

void LaunchSequence::Prepare(size_t launch, bool contents) {
  for (; step_ < bound_->steps.size() && bound_->steps[step_].launch <= launch; ++step_) {
    const HostStep& step = bound_->steps[step_];
    const bool regions =
        step.kind == HostStep::Kind::kFree || step.kind == HostStep::Kind::kAllocate;
    if (regions || contents) Apply(step, &bound_->memory);
  }
}

void LaunchSequence::Resume(const Position& position) {
  loop_ = position.loop;
  launch_ = position.launch;
  round_ = position.round;
  if (loop_ == bound_->loops.size()) return;
  const LaunchLoop& loop = bound_->loops[loop_];
  const size_t begun = round_ == 0 ? loop.first + launch_ : loop.first + loop.count;
  if (begun > 0) Prepare(begun - 1, /*contents=*/false);
}

}  // namespace flagstone
