#include "gpu_model/simt/slots.h"

#include <fmt/core.h>

#include <array>
#include <cstring>

#include "base/error.h"

namespace flagstone::simt {
namespace {

using ptx::SpecialRegister;

constexpr uint32_t kRow = Program::Code::kRow;

bool IsPredicate(const ptx::Register& reg) { return reg.type == ptx::Type::kPred; }
bool IsWide(const ptx::Register& reg) { return ptx::SizeInBytes(reg.type) == 8; }

LaneMask LanemaskOf(SpecialRegister special, uint32_t lane) {
  const LaneMask self = 1U << lane;
  switch (special) {
    case SpecialRegister::kLanemaskEq:
      return self;
    case SpecialRegister::kLanemaskLt:
      return self - 1;
    case SpecialRegister::kLanemaskLe:
      return self | (self - 1);
    case SpecialRegister::kLanemaskGt:
      return ~(self | (self - 1));
    case SpecialRegister::kLanemaskGe:
      return ~(self - 1);
    default:
      return lane;  // %laneid
  }
}

}  // namespace

// Predicates first, then the rows of 32-bit lanes, then those of 64-bit lanes.
Slots::Slots(const KernelLaunch& launch, const ptx::ControlFlow& flow)
    : launch_(&launch),
      places_(launch.kernel->registers.size()),
      rows_(ShareRows(*launch.kernel, flow)) {
  uint32_t predicates = 0;
  for (const ptx::Register& reg : launch.kernel->registers) {
    predicates += IsPredicate(reg) ? 1U : 0U;
  }
  hidden_predicate_ = predicates * uint32_t{sizeof(LaneMask)};
  narrow_ = static_cast<uint32_t>(LinesFor((predicates + 1) * sizeof(LaneMask)) * sizeof(Line));
  wide_ = narrow_ + rows_.narrow * kRow;
}

Slots::Place& Slots::PlaceOf(ptx::RegisterId id) {
  Place& place = places_.at(id);
  if (place.slot != kNoSlot) return place;
  const ptx::Register& reg = launch_->kernel->registers[id];
  place.scoreboard = static_cast<uint16_t>(scoreboard_registers_++);
  const uint32_t offset = IsPredicate(reg) ? predicates_++ * uint32_t{sizeof(LaneMask)}
                          : IsWide(reg)    ? wide_ + rows_.row[id] * 2 * kRow
                                           : narrow_ + rows_.row[id] * kRow;
  place.slot = MakeSlot(Base::kRegisters, offset);
  return place;
}

SizedSlot Slots::OfRegister(ptx::RegisterId reg) {
  return {PlaceOf(reg).slot, IsWide(launch_->kernel->registers[reg])};
}

uint16_t Slots::ScoreboardNumber(ptx::RegisterId reg) { return PlaceOf(reg).scoreboard; }

uint16_t Slots::NextOf(Turns* turns) {
  constexpr size_t kMost = 12;
  if (turns->numbers.size() < kMost) {
    turns->numbers.push_back(static_cast<uint16_t>(scoreboard_registers_++));
  }
  return turns->numbers[turns->taken++ % kMost];
}

uint32_t Slots::register_bytes() const { return wide_ + rows_.wide * 2 * kRow; }

SlotId Slots::AppendConstant(const void* bytes, size_t size) {
  const size_t at = constants_.size() * sizeof(Line);
  constants_.resize(constants_.size() + LinesFor(size));
  std::memcpy(Data(constants_) + at, bytes, size);
  return MakeSlot(Base::kConstants, static_cast<uint32_t>(at));
}

SlotId Slots::Constant(uint64_t value, bool wide) {
  const auto [it, is_new] = constant_slots_.try_emplace({value, wide}, kNoSlot);
  if (is_new && wide) {
    std::array<uint64_t, kWarpSize> lanes;
    lanes.fill(value);
    it->second = AppendConstant(lanes.data(), sizeof(lanes));
  } else if (is_new) {
    std::array<uint32_t, kWarpSize> lanes;
    lanes.fill(static_cast<uint32_t>(value));
    it->second = AppendConstant(lanes.data(), sizeof(lanes));
  }
  return it->second;
}

SlotId Slots::Mask(LaneMask mask) {
  const auto [it, is_new] = mask_slots_.try_emplace(mask, kNoSlot);
  if (is_new) it->second = AppendConstant(&mask, sizeof(mask));
  return it->second;
}

SlotId Slots::LaneVector(SpecialRegister special) {
  const auto [it, is_new] = vector_slots_.try_emplace(special, kNoSlot);
  if (is_new) {
    std::array<uint32_t, kWarpSize> lanes;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) lanes[lane] = LanemaskOf(special, lane);
    it->second = AppendConstant(lanes.data(), sizeof(lanes));
  }
  return it->second;
}

SizedSlot Slots::OfCluster(SpecialRegister special) {
  const Dim3& grid = launch_->grid;
  const Dim3& shape = launch_->cluster;
  const bool alone = shape.Count() == 1;
  const auto axis = [special](SpecialRegister first) {
    return static_cast<uint32_t>(special) - static_cast<uint32_t>(first);
  };
  const auto of = [](const Dim3& dims, uint32_t at) {
    return at == 0 ? dims.x : at == 1 ? dims.y : dims.z;
  };
  switch (special) {
    case SpecialRegister::kClusteridX:
    case SpecialRegister::kClusteridY:
    case SpecialRegister::kClusteridZ: {
      const uint32_t row = (alone ? 0 : 3) + axis(SpecialRegister::kClusteridX);
      return {MakeSlot(Base::kTb, row * kRow)};
    }
    case SpecialRegister::kNclusteridX:
    case SpecialRegister::kNclusteridY:
    case SpecialRegister::kNclusteridZ: {
      const uint32_t at = axis(SpecialRegister::kNclusteridX);
      return {Constant(of(grid, at) / of(shape, at), false)};
    }
    case SpecialRegister::kClusterCtaidX:
    case SpecialRegister::kClusterCtaidY:
    case SpecialRegister::kClusterCtaidZ:
      if (alone) return {Constant(0, false)};
      return {MakeSlot(Base::kTb, (6 + axis(SpecialRegister::kClusterCtaidX)) * kRow)};
    case SpecialRegister::kClusterNctaidX:
    case SpecialRegister::kClusterNctaidY:
    case SpecialRegister::kClusterNctaidZ:
      return {Constant(of(shape, axis(SpecialRegister::kClusterNctaidX)), false)};
    case SpecialRegister::kClusterCtarank:
      return alone ? SizedSlot{Constant(0, false)} : SizedSlot{MakeSlot(Base::kTb, 9 * kRow)};
    case SpecialRegister::kClusterNctarank:
      return {Constant(shape.Count(), false)};
    default:
      return {Mask(alone ? 0 : kAllLanes)};
  }
}

SizedSlot Slots::OfSpecial(SpecialRegister special, bool wide) {
  switch (special) {
    case SpecialRegister::kTidX:
      return {MakeSlot(Base::kWarp, 0)};
    case SpecialRegister::kTidY:
      return {MakeSlot(Base::kWarp, kRow)};
    case SpecialRegister::kTidZ:
      return {MakeSlot(Base::kWarp, 2 * kRow)};
    case SpecialRegister::kWarpid:
      return {MakeSlot(Base::kWarp, 3 * kRow)};
    case SpecialRegister::kCtaidX:
      return {MakeSlot(Base::kTb, 0)};
    case SpecialRegister::kCtaidY:
      return {MakeSlot(Base::kTb, kRow)};
    case SpecialRegister::kCtaidZ:
      return {MakeSlot(Base::kTb, 2 * kRow)};
    case SpecialRegister::kSmid:
      return {MakeSlot(Base::kMachine, 0)};
    case SpecialRegister::kNsmid:
      return {MakeSlot(Base::kMachine, kRow)};
    case SpecialRegister::kClock:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 2 * kRow)};
    case SpecialRegister::kClock64:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 3 * kRow), true};
    case SpecialRegister::kClockHi:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 5 * kRow)};
    // Nanoseconds of a clock of 1 GHz: a cycle, or without timing an instruction, is one.
    case SpecialRegister::kGlobaltimerLo:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 2 * kRow)};
    case SpecialRegister::kGlobaltimer:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 3 * kRow), true};
    case SpecialRegister::kGlobaltimerHi:
      uses_clock_ = true;
      return {MakeSlot(Base::kMachine, 5 * kRow)};
    case SpecialRegister::kZero:
      return {Constant(0, false)};
    case SpecialRegister::kZero64:
      return {Constant(0, true), true};
    case SpecialRegister::kNtidX:
      return {Constant(launch_->block.x, false)};
    case SpecialRegister::kNtidY:
      return {Constant(launch_->block.y, false)};
    case SpecialRegister::kNtidZ:
      return {Constant(launch_->block.z, false)};
    case SpecialRegister::kNctaidX:
      return {Constant(launch_->grid.x, false)};
    case SpecialRegister::kNctaidY:
      return {Constant(launch_->grid.y, false)};
    case SpecialRegister::kNctaidZ:
      return {Constant(launch_->grid.z, false)};
    case SpecialRegister::kNwarpid:
      return {Constant(launch_->WarpsPerTb(), false)};
    case SpecialRegister::kGridid:
      return {Constant(0, wide), wide};
    case SpecialRegister::kTotalSmemSize:
      return {Constant(launch_->OwnSharedBytes(), false)};
    case SpecialRegister::kDynamicSmemSize:
      return {Constant(launch_->dynamic_shared_bytes, false)};
    case SpecialRegister::kReservedSmemBegin:
      return {Constant(launch_->ReservedSharedBegin(), false)};
    case SpecialRegister::kReservedSmemEnd:
      return {Constant(launch_->SharedBytes(), false)};
    case SpecialRegister::kReservedSmemSize:
      return {Constant(KernelLaunch::kReservedSharedBytes, false)};
    case SpecialRegister::kAggrSmemSize:
      return {Constant(launch_->SharedBytes(), false)};
    case SpecialRegister::kStackBegin:
      return {Constant(launch_->StackBegin(), wide), wide};
    case SpecialRegister::kStackEnd:
      return {Constant(launch_->LocalBytes(), wide), wide};
    case SpecialRegister::kEnvreg1:
      return {Constant(launch_->grid_barrier >> 32, false)};
    case SpecialRegister::kEnvreg2:
      return {Constant(launch_->grid_barrier & 0xffffffff, false)};
    case SpecialRegister::kClusteridX:
    case SpecialRegister::kClusteridY:
    case SpecialRegister::kClusteridZ:
    case SpecialRegister::kNclusteridX:
    case SpecialRegister::kNclusteridY:
    case SpecialRegister::kNclusteridZ:
    case SpecialRegister::kClusterCtaidX:
    case SpecialRegister::kClusterCtaidY:
    case SpecialRegister::kClusterCtaidZ:
    case SpecialRegister::kClusterNctaidX:
    case SpecialRegister::kClusterNctaidY:
    case SpecialRegister::kClusterNctaidZ:
    case SpecialRegister::kClusterCtarank:
    case SpecialRegister::kClusterNctarank:
    case SpecialRegister::kIsExplicitCluster:
      return OfCluster(special);
    case SpecialRegister::kLaneid:
    case SpecialRegister::kLanemaskEq:
    case SpecialRegister::kLanemaskLe:
    case SpecialRegister::kLanemaskLt:
    case SpecialRegister::kLanemaskGe:
    case SpecialRegister::kLanemaskGt:
      return {LaneVector(special)};
  }
  ThrowInternal("special register {} has no slot", static_cast<int>(special));
}

uint64_t Slots::AddressOf(const ptx::Variable& variable) const {
  if (variable.space != ptx::Space::kGlobal && variable.space != ptx::Space::kConst) {
    return variable.offset;
  }
  const auto found = launch_->symbols.find(variable.name);
  if (found == launch_->symbols.end()) {
    if (variable.type == ptx::Type::kSamplerref) return kOwnSampler;
    const bool texture =
        variable.type == ptx::Type::kTexref || variable.type == ptx::Type::kSurfref;
    ThrowBadInput(
        "{}:{}:{}: {}", launch_->module->file, variable.location.line, variable.location.column,
        texture ? fmt::format("no texture for '{0}': expected [texture.{0}] in the workload",
                              variable.name)
                : fmt::format("variable '{}' has no place in device memory", variable.name));
  }
  return found->second;
}

}  // namespace flagstone::simt
