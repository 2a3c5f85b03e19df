#include "analyzer/address/slice_warp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "analyzer/address/integer_ops.h"

namespace flagstone {

void SliceWarp::Load(const SliceProgram& program) {
  slots_.resize(program.slots().size() * kSliceLanes);
  for (uint32_t slot = 0; slot < program.slots().size(); ++slot) {
    std::fill_n(Slot(slot), kSliceLanes, program.slots()[slot]);
  }
  first_special_ = program.SlotOf(static_cast<ptx::SpecialRegister>(0));
  using Special = ptx::SpecialRegister;
  const auto set = [&](Special special, uint64_t value) {
    std::fill_n(Slot(program.SlotOf(special)), kSliceLanes, value);
  };
  set(Special::kNtidX, launch_->block.x);
  set(Special::kNtidY, launch_->block.y);
  set(Special::kNtidZ, launch_->block.z);
  set(Special::kNctaidX, launch_->grid.x);
  set(Special::kNctaidY, launch_->grid.y);
  set(Special::kNctaidZ, launch_->grid.z);
  set(Special::kDynamicSmemSize, launch_->dynamic_shared_bytes);
  set(Special::kTotalSmemSize, launch_->OwnSharedBytes());
  set(Special::kReservedSmemBegin, launch_->ReservedSharedBegin());
  set(Special::kReservedSmemEnd, launch_->SharedBytes());
  set(Special::kReservedSmemSize, KernelLaunch::kReservedSharedBytes);
}

uint32_t SliceWarp::Become(const Dim3& tb, uint32_t warp) {
  using Special = ptx::SpecialRegister;
  const Dim3& block = launch_->block;
  const uint32_t first = kSliceLanes * warp;
  const uint32_t count = std::min(kSliceLanes, launch_->ThreadsPerTb() - first);
  for (uint32_t lane = 0; lane < count; ++lane) {
    const uint32_t thread = first + lane;
    const auto set = [&](Special special, uint64_t value) {
      Slot(first_special_ + static_cast<uint32_t>(special))[lane] = value;
    };
    set(Special::kTidX, thread % block.x);
    set(Special::kTidY, thread / block.x % block.y);
    set(Special::kTidZ, thread / block.x / block.y);
    set(Special::kCtaidX, tb.x);
    set(Special::kCtaidY, tb.y);
    set(Special::kCtaidZ, tb.z);
    set(Special::kLaneid, lane);
    set(Special::kWarpid, warp);
    set(Special::kLanemaskEq, uint64_t{1} << lane);
    set(Special::kLanemaskLt, (uint64_t{1} << lane) - 1);
    set(Special::kLanemaskLe, (uint64_t{2} << lane) - 1);
    set(Special::kLanemaskGt, Truncate(~((uint64_t{2} << lane) - 1), 32));
    set(Special::kLanemaskGe, Truncate(~((uint64_t{1} << lane) - 1), 32));
  }
  return static_cast<uint32_t>((uint64_t{1} << count) - 1);
}

uint32_t SliceWarp::Guarded(const ptx::Instruction& instruction, uint32_t lanes) const {
  if (!instruction.guard) return lanes;
  const uint64_t* predicate = Slot(*instruction.guard);
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
    set |= static_cast<uint32_t>(predicate[lane] & 1) << lane;
  }
  return lanes & (instruction.guard_negated ? ~set : set);
}

bool SliceWarp::Run(const SliceStep& step, uint32_t lanes) {
  if (lanes == 0) return true;
  if (step.operation != nullptr) {
    return step.operation({Slot(step.destination), Slot(step.sources[0]), Slot(step.sources[1]),
                           Slot(step.sources[2]), lanes});
  }
  if (step.loaded != ptx::Type::kNone) return RunLoad(step, lanes);
  if (step.by_executor) {
    RunByExecutor(step, lanes);
    return true;
  }
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    if (!RunSeldom(step, static_cast<uint32_t>(std::countr_zero(left)))) return false;
  }
  return true;
}

bool SliceWarp::RunLoad(const SliceStep& step, uint32_t lanes) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const std::optional<uint64_t> value = constants_->Read(Address(step, lane), step.loaded);
    if (!value) return false;
    Slot(step.destination)[lane] = *value;
  }
  return true;
}

void SliceWarp::RunByExecutor(const SliceStep& step, uint32_t lanes) {
  simt::LaneFunctions::Sources sources = {};
  for (size_t i = 0; i < step.source_count; ++i) sources[i] = Slot(step.sources[i]);
  functions_->Run(step.pc, sources, lanes, Slot(step.destination));
}

bool SliceWarp::RunSeldom(const SliceStep& step, uint32_t lane) {
  std::array<uint64_t, 4> sources = {};
  for (size_t i = 0; i < step.source_count; ++i) {
    sources[i] = Slot(step.sources[i])[lane];
    if (step.negated[i]) sources[i] ^= 1;
  }
  const std::optional<uint64_t> result =
      EvaluateInteger(*step.instruction, std::span(sources).first(step.source_count));
  if (!result) return false;
  if (step.instruction->operands.empty() ||
      step.instruction->operands[0].kind != ptx::Operand::Kind::kSink) {
    Slot(step.destination)[lane] = *result;
  }
  if (step.instruction->destinations == 2) Slot(step.second)[lane] = *result ^ 1;
  return true;
}

}  // namespace flagstone
