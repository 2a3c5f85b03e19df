#include "gpu_model/simt/value_slice.h"

#include <algorithm>
#include <utility>

#include "gpu_model/simt/points_to.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using simt::PlaceSet;
using simt::PointsTo;

// What has an effect beyond registers and memory: branches, exits, barriers, fences.
bool IsControl(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kUnsupported) return false;
  if (instruction.opcode == Opcode::kBar || instruction.opcode == Opcode::kMbarrier ||
      instruction.opcode == Opcode::kAllocate) {
    return true;
  }
  return instruction.destinations == 0 && instruction.opcode != Opcode::kSt &&
         instruction.opcode != Opcode::kRed;
}

// printf and assert: they read memory through pointers, which may be any.
bool IsHostCall(const Instruction& instruction) {
  return instruction.opcode == Opcode::kPrint || instruction.opcode == Opcode::kAssertFail ||
         instruction.opcode == Opcode::kStackOverflow;
}

// Its last operand is the mask of the lanes that wait for each other.
bool IsLaneExchange(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  return instruction.modifiers.lane_sync &&
         (opcode == Opcode::kShfl || opcode == Opcode::kVote || opcode == Opcode::kMatch ||
          opcode == Opcode::kRedux || opcode == Opcode::kElect);
}

bool IsAtomic(const Instruction& instruction) {
  return instruction.opcode == Opcode::kAtom || instruction.opcode == Opcode::kRed;
}

// A product of a warpgroup reads its factors from shared memory.
bool IsProduct(const Instruction& instruction) {
  return instruction.modifiers.warpgroup_op == ptx::WarpgroupOp::kMmaAsync;
}

// What moves values into, out of and within tensor memory. The rest of tcgen05 is control.
bool MovesTensorMemory(const Instruction& instruction) {
  using Op = ptx::TensorMemoryOp;
  const Op op = instruction.tensor_memory.op;
  return op == Op::kLoad || op == Op::kStore || op == Op::kCopy || op == Op::kShift ||
         op == Op::kMma;
}

// One launch's part of the fixpoint.
class LaunchSlice {
 public:
  LaunchSlice(const KernelLaunch& launch, const DeviceMemory& memory)
      : kernel_(*launch.kernel),
        points_to_(launch, memory),
        needed_(kernel_.instructions.size(), false),
        registers_(kernel_.registers.size(), false),
        own_(points_to_.Nothing()) {}

  // Adds what is needed, given the places whose contents are; true if something was added.
  bool Extend(PlaceSet* global) {
    changed_ = false;
    for (size_t pc = kernel_.instructions.size(); pc-- > 0;) Visit(pc, global);
    return changed_;
  }
  std::vector<bool> TakeNeeded() { return std::move(needed_); }

 private:
  void Visit(size_t pc, PlaceSet* global) {
    const Instruction& instruction = kernel_.instructions[pc];
    if (instruction.guard) Need(*instruction.guard);
    // Whatever happens, the addresses do.
    for (const Operand& operand : instruction.operands) {
      if (operand.has_register_base) Need(operand.reg);
      if (operand.kind == Operand::Kind::kTexture) NeedAll(operand);
    }
    if (IsLaneExchange(instruction)) NeedAll(instruction.operands.back());
    if (MovesTensorMemory(instruction)) return VisitTensorMemory(pc, global);
    const bool host_call = IsHostCall(instruction);
    if (!IsControl(instruction) && !host_call && !HasNeededResult(instruction) &&
        !WritesNeededPlace(instruction, *global)) {
      return;
    }
    if (!needed_[pc]) changed_ = true;
    needed_[pc] = true;
    for (size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
      NeedAll(instruction.operands[i]);
    }
    if (host_call) NeedPlaces(points_to_.Everything(), global);
    const bool reads =
        instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kTex ||
        instruction.opcode == Opcode::kSuld || instruction.opcode == Opcode::kLdmatrix ||
        instruction.opcode == Opcode::kCpAsync || IsProduct(instruction) || IsAtomic(instruction);
    if (reads) NeedPlaces(points_to_.OfAccess(instruction), global);
  }

  // A product's time hangs on its descriptor. Once a value is needed that was loaded from tensor
  // memory, all that goes into it is.
  void VisitTensorMemory(size_t pc, PlaceSet* global) {
    using Op = ptx::TensorMemoryOp;
    const Instruction& instruction = kernel_.instructions[pc];
    const Op op = instruction.tensor_memory.op;
    if (op == Op::kMma) NeedAll(instruction.operands[3]);
    if (op == Op::kLoad && HasNeededResult(instruction) && !tensor_memory_) {
      tensor_memory_ = changed_ = true;
    }
    if (!tensor_memory_ || (op == Op::kLoad && !HasNeededResult(instruction))) return;
    if (!needed_[pc]) changed_ = true;
    needed_[pc] = true;
    for (size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
      NeedAll(instruction.operands[i]);
    }
    const bool reads = op == Op::kMma || op == Op::kCopy;
    if (reads) NeedPlaces(points_to_.OfAccess(instruction), global);
  }

  bool HasNeededResult(const Instruction& instruction) const {
    const auto needed = [&](const Operand& operand, const auto& self) -> bool {
      if (operand.kind == Operand::Kind::kRegister) return registers_[operand.reg];
      return std::any_of(operand.elements.begin(), operand.elements.end(),
                         [&](const Operand& element) { return self(element, self); });
    };
    for (size_t i = 0; i < instruction.destinations; ++i) {
      if (needed(instruction.operands[i], needed)) return true;
    }
    return false;
  }

  bool WritesNeededPlace(const Instruction& instruction, const PlaceSet& global) const {
    if (instruction.opcode != Opcode::kSt && !IsAtomic(instruction)) return false;
    const PlaceSet places = points_to_.OfAccess(instruction);
    return places.Meets(global) || places.Meets(own_);
  }

  void NeedPlaces(const PlaceSet& places, PlaceSet* global) {
    changed_ |= global->Add(points_to_.SharedByLaunches(places));
    changed_ |= own_.Add(places);
  }

  void NeedAll(const Operand& operand) {
    if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) Need(operand.reg);
    for (const Operand& element : operand.elements) NeedAll(element);
  }

  void Need(ptx::RegisterId reg) {
    if (!registers_[reg]) changed_ = true;
    registers_[reg] = true;
  }

  const ptx::Kernel& kernel_;
  PointsTo points_to_;
  std::vector<bool> needed_;     // by pc
  std::vector<bool> registers_;  // by RegisterId
  PlaceSet own_;                 // needed by this launch: its shared and local memory too
  bool changed_ = false;
  bool tensor_memory_ = false;  // what it holds is needed
};

}  // namespace

std::vector<std::vector<bool>> FindNeededValues(std::span<const KernelLaunch> launches,
                                                const DeviceMemory& memory,
                                                std::span<const std::string> kept) {
  std::vector<LaunchSlice> slices;
  slices.reserve(launches.size());
  for (const KernelLaunch& launch : launches) slices.emplace_back(launch, memory);
  const std::vector<DeviceMemory::Region>& regions = memory.regions();
  PlaceSet global(regions.size() + simt::kOwnPlaces);
  for (size_t i = 0; i < regions.size(); ++i) {
    if (std::find(kept.begin(), kept.end(), regions[i].name) != kept.end()) global.Add(i);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (LaunchSlice& slice : slices) changed |= slice.Extend(&global);
  }
  std::vector<std::vector<bool>> needed;
  needed.reserve(slices.size());
  for (LaunchSlice& slice : slices) needed.push_back(slice.TakeNeeded());
  return needed;
}

}  // namespace flagstone
