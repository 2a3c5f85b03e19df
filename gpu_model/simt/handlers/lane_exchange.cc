// What the lanes of a warp tell each other: shfl, vote, match, activemask, redux (PTX ISA 9.7.9.6,
// 9.7.13.9 to 9.7.13.12), and isspacep.
//
// The lanes that take part are those that execute the instruction and, with .sync, stand in the
// executing lane's own mask. For lanes of the mask on another path of a divergent branch the warp
// has waited (lane_progress.cc); those that never come, or of targets before sm_70, do not take
// part.
//
// What a shfl reads from a lane that takes no part is unpredictable by the ISA: the value alone,
// not the program, so this is no fault. Here it is 0, which no sum or maximum counts twice, and a
// finding of the launch names the lane.
#include <fmt/core.h>

#include <bit>

#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/launch/findings.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::AtomicOp;
using ptx::LaneOp;
using ptx::Opcode;

uint32_t FirstLane(LaneMask mask) { return static_cast<uint32_t>(std::countr_zero(mask)); }

// The lanes that take part with lane `lane`.
LaneMask Partners(const Context& c, const Inst& inst, size_t mask_source, LaneMask executed,
                  uint32_t lane) {
  if (!inst.modifiers.lane_sync) return executed;
  return executed & Source<uint32_t>(c, inst.source[mask_source])[lane];
}

// The segment of a lane and its clamp value, packed as the ISA's operand c: bits 4..0 and 12..8.
struct Target {
  uint32_t lane = 0;
  bool in_range = false;
};
Target ShuffleTarget(LaneOp op, uint32_t lane, uint32_t b, uint32_t c) {
  const int self = static_cast<int>(lane);
  const int amount = static_cast<int>(b & 31);
  const uint32_t clamp = c & 31;
  const uint32_t segment = (c >> 8) & 31;
  const int most = static_cast<int>((lane & segment) | (clamp & ~segment));
  const int least = static_cast<int>(lane & segment);
  int at = 0;
  bool in_range = false;
  switch (op) {
    case LaneOp::kUp:
      at = self - amount;
      in_range = at >= most;
      break;
    case LaneOp::kDown:
      at = self + amount;
      in_range = at <= most;
      break;
    case LaneOp::kBfly:
      at = self ^ amount;
      in_range = at <= most;
      break;
    default:
      at = least | (amount & ~static_cast<int>(segment));
      in_range = at <= most;
      break;
  }
  return {static_cast<uint32_t>(in_range ? at : self) & 31, in_range};
}

void NoteAbsentSource(const Context& c, const Inst& inst, uint32_t lane, uint32_t source) {
  const KernelLaunch& launch = c.program->launch();
  if (launch.findings == nullptr) return;
  launch.findings->Add(FindingKind::kShuffle, inst.pc, inst.pc, c.tb, [&] {
    const ptx::Instruction& instruction = launch.kernel->instructions[inst.pc];
    const Dim3 tb = TbCoordinates(c.tb, launch.grid);
    return fmt::format(
        "{}:{}: lane {} of warp {} of TB ({},{},{}) reads from lane {}, which does not take part: "
        "its value is unpredictable, 0 here: {}",
        launch.module->file, instruction.location.line, lane, c.warp, tb.x, tb.y, tb.z, source,
        instruction.text);
  });
}

void Shuffle(Context& c, const Inst& inst, LaneMask mask) {
  std::array<uint32_t, kWarpSize> result;
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  const uint32_t* b = Source<uint32_t>(c, inst.source[1]);
  const uint32_t* bounds = Source<uint32_t>(c, inst.source[2]);
  LaneMask in_range = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const Target target = ShuffleTarget(inst.modifiers.lane_op, lane, b[lane], bounds[lane]);
    const bool takes_part = (Partners(c, inst, 3, mask, lane) >> target.lane & 1) != 0;
    result[lane] = takes_part || target.lane == lane ? a[target.lane] : 0;
    if (!takes_part && target.lane != lane && (mask >> lane & 1) != 0) {
      NoteAbsentSource(c, inst, lane, target.lane);
    }
    if (target.in_range) in_range |= 1U << lane;
  }
  if (inst.destination != kNoSlot) {
    ForLanes(Destination<uint32_t>(c, inst.destination), mask,
             [&](uint32_t lane) { return result[lane]; });
  }
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, in_range);
}

void Vote(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask held = PredicateSource(c, inst, 0);
  const LaneOp op = inst.modifiers.lane_op;
  std::array<uint32_t, kWarpSize> ballot = {};
  LaneMask result = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    const LaneMask partners = Partners(c, inst, 1, mask, lane);
    ballot[lane] = held & partners;
    const bool all = ballot[lane] == partners;
    const bool any = ballot[lane] != 0;
    const bool holds = op == LaneOp::kAll ? all : op == LaneOp::kAny ? any : all || !any;
    if (holds) result |= 1U << lane;
  }
  if (inst.destination == kNoSlot) return;
  if (op != LaneOp::kBallot) return WritePredicate(c, inst.destination, mask, result);
  ForLanes(Destination<uint32_t>(c, inst.destination), mask,
           [&](uint32_t lane) { return ballot[lane]; });
}

// any: the lanes with the same value. all: all partners, and true, if they agree; else 0.
template <class T>
void Match(Context& c, const Inst& inst, LaneMask mask) {
  const T* a = Source<T>(c, inst.source[0]);
  std::array<uint32_t, kWarpSize> result = {};
  LaneMask agree = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    const LaneMask partners = Partners(c, inst, 1, mask, lane);
    LaneMask same = 0;
    for (LaneMask left = partners; left != 0; left &= left - 1) {
      if (a[FirstLane(left)] == a[lane]) same |= 1U << FirstLane(left);
    }
    if (same == partners) agree |= 1U << lane;
    const bool any = inst.modifiers.lane_op == LaneOp::kAny;
    result[lane] = any || same == partners ? same : 0;
  }
  if (inst.destination != kNoSlot) {
    ForLanes(Destination<uint32_t>(c, inst.destination), mask,
             [&](uint32_t lane) { return result[lane]; });
  }
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, agree);
}

// The lowest lane that takes part: its number, and a predicate that it alone finds true.
void Elect(Context& c, const Inst& inst, LaneMask mask) {
  LaneMask leaders = 0;
  std::array<uint32_t, kWarpSize> result = {};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    const LaneMask partners = Partners(c, inst, 0, mask, lane);
    result[lane] = partners == 0 ? lane : FirstLane(partners);
    if (result[lane] == lane) leaders |= 1U << lane;
  }
  if (inst.destination != kNoSlot) {
    ForLanes(Destination<uint32_t>(c, inst.destination), mask,
             [&](uint32_t lane) { return result[lane]; });
  }
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, leaders);
}

void ActiveMask(Context& c, const Inst& inst, LaneMask mask) {
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [=](uint32_t) { return mask; });
}

uint32_t Reduce(AtomicOp op, bool is_signed, uint32_t a, uint32_t b) {
  const bool less = is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (op) {
    case AtomicOp::kAdd:
      return a + b;
    case AtomicOp::kMin:
      return less ? a : b;
    case AtomicOp::kMax:
      return less ? b : a;
    case AtomicOp::kAnd:
      return a & b;
    case AtomicOp::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void ReduceLanes(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  const bool is_signed = inst.type == ptx::Type::kS32;
  std::array<uint32_t, kWarpSize> result = {};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    LaneMask partners = Partners(c, inst, 1, mask, lane);
    result[lane] = a[lane];
    if (partners == 0) continue;
    result[lane] = a[FirstLane(partners)];
    for (partners &= partners - 1; partners != 0; partners &= partners - 1) {
      result[lane] =
          Reduce(inst.modifiers.atomic_op, is_signed, result[lane], a[FirstLane(partners)]);
    }
  }
  ForLanes(Destination<uint32_t>(c, inst.destination), mask,
           [&](uint32_t lane) { return result[lane]; });
}

bool IsConstant(const DeviceMemory& memory, uint64_t address) {
  const DeviceMemory::Region* region = memory.Find(address, 1);
  return region != nullptr && !region->writable;
}

// Constant memory lies in device memory that kernels cannot write: see the windows in code.h.
void SpaceTest(Context& c, const Inst& inst, LaneMask mask) {
  const ptx::Space space = c.program->launch().kernel->instructions[inst.pc].space;
  LaneMask result = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    const uint64_t address = inst.wide_address ? Source<uint64_t>(c, inst.source[0])[lane]
                                               : Source<uint32_t>(c, inst.source[0])[lane];
    const uint64_t window = address >> kWindowShift << kWindowShift;
    bool holds = false;
    switch (space) {
      case ptx::Space::kShared:
        holds = window == kSharedWindow;
        break;
      case ptx::Space::kLocal:
        holds = window == kLocalWindow;
        break;
      case ptx::Space::kParam:
        holds = window == kParamWindow;
        break;
      default:
        holds = window == 0 && IsConstant(*c.memory, address) == (space == ptx::Space::kConst);
        break;
    }
    if (holds) result |= 1U << lane;
  }
  WritePredicate(c, inst.destination, mask, result);
}

}  // namespace

Handler SelectLaneExchange(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kShfl:
      return Shuffle;
    case Opcode::kVote:
      return Vote;
    case Opcode::kMatch:
      return ptx::SizeInBytes(instruction.type) == 8 ? Match<uint64_t> : Match<uint32_t>;
    case Opcode::kActivemask:
      return ActiveMask;
    case Opcode::kElect:
      return Elect;
    case Opcode::kRedux:
      return ReduceLanes;
    default:
      return nullptr;
  }
}

Handler SelectSpaceTest() { return SpaceTest; }

}  // namespace flagstone::simt
