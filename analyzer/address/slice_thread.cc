#include "analyzer/address/slice_thread.h"

#include <array>
#include <optional>
#include <span>

#include "analyzer/address/integer_ops.h"

namespace flagstone {

void SliceThread::Load(const SliceProgram& program) {
  slots_ = program.slots();
  first_special_ = program.SlotOf(static_cast<ptx::SpecialRegister>(0));
}

void SliceThread::Become(const Dim3& tb, uint32_t thread) {
  using Special = ptx::SpecialRegister;
  const Dim3& block = launch_->block;
  const auto set = [&](Special special, uint64_t value) {
    slots_[first_special_ + static_cast<uint32_t>(special)] = value;
  };
  set(Special::kTidX, thread % block.x);
  set(Special::kTidY, thread / block.x % block.y);
  set(Special::kTidZ, thread / block.x / block.y);
  set(Special::kCtaidX, tb.x);
  set(Special::kCtaidY, tb.y);
  set(Special::kCtaidZ, tb.z);
  set(Special::kNtidX, block.x);
  set(Special::kNtidY, block.y);
  set(Special::kNtidZ, block.z);
  set(Special::kNctaidX, launch_->grid.x);
  set(Special::kNctaidY, launch_->grid.y);
  set(Special::kNctaidZ, launch_->grid.z);
  const uint32_t lane = thread % 32;
  set(Special::kLaneid, lane);
  set(Special::kWarpid, thread / 32);
  set(Special::kLanemaskEq, uint64_t{1} << lane);
  set(Special::kLanemaskLt, (uint64_t{1} << lane) - 1);
  set(Special::kLanemaskLe, (uint64_t{2} << lane) - 1);
  set(Special::kLanemaskGt, Truncate(~((uint64_t{2} << lane) - 1), 32));
  set(Special::kLanemaskGe, Truncate(~((uint64_t{1} << lane) - 1), 32));
  set(Special::kDynamicSmemSize, launch_->dynamic_shared_bytes);
  set(Special::kTotalSmemSize, launch_->OwnSharedBytes());
  set(Special::kReservedSmemBegin, launch_->ReservedSharedBegin());
  set(Special::kReservedSmemEnd, launch_->SharedBytes());
  set(Special::kReservedSmemSize, KernelLaunch::kReservedSharedBytes);
}

bool SliceThread::Run(const SliceStep& step) {
  if (step.operation != nullptr) {
    slots_[step.destination] =
        step.operation(slots_[step.sources[0]], slots_[step.sources[1]], slots_[step.sources[2]]);
    return true;
  }
  std::array<uint64_t, 4> sources = {};
  for (size_t i = 0; i < step.source_count; ++i) {
    sources[i] = slots_[step.sources[i]];
    if (step.negated[i]) sources[i] ^= 1;
  }
  const std::optional<uint64_t> result =
      EvaluateInteger(*step.instruction, std::span(sources).first(step.source_count));
  if (!result) return false;
  if (step.instruction->operands.empty() ||
      step.instruction->operands[0].kind != ptx::Operand::Kind::kSink) {
    slots_[step.destination] = *result;
  }
  if (step.instruction->destinations == 2) slots_[step.second] = *result ^ 1;
  return true;
}

}  // namespace flagstone
