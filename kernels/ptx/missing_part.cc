// What a combination of modifiers and types still lacks, or may not have (PTX ISA, chapter 9).
#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/missing_access_part.h"
#include "kernels/ptx/missing_arithmetic_part.h"
#include "kernels/ptx/missing_async_part.h"
#include "kernels/ptx/missing_conversion_part.h"
#include "kernels/ptx/missing_warp_part.h"

namespace flagstone::ptx {

std::string_view MissingPart(const Instruction& instruction) {
  using enum Type;
  const Opcode opcode = instruction.opcode;
  const Type type = instruction.type;
  const Space space = instruction.space;
  const Modifiers& m = instruction.modifiers;
  const bool plain_rounding = m.rounding < Rounding::kRni;
  if (m.rounding >= Rounding::kRna && opcode != Opcode::kCvt) return "another rounding";
  if (opcode != Opcode::kCvt && !plain_rounding) return "a rounding such as '.rn'";
  switch (opcode) {
    case Opcode::kCvt:
      return MissingInConversion(type, instruction.source_type, m);
    case Opcode::kCvta:
    case Opcode::kIsspacep:
      if (space == Space::kGeneric || space == Space::kReg || space == Space::kTex) {
        return "a state space such as '.global'";
      }
      return "";
    case Opcode::kAtom:
    case Opcode::kRed:
      if (space != Space::kGeneric && space != Space::kGlobal && space != Space::kShared) {
        return "'.global', '.shared' or no state space";
      }
      if (opcode == Opcode::kAtom) return MissingInAtomic(type, space, m);
      if (m.atomic_op == AtomicOp::kExch || m.atomic_op == AtomicOp::kCas) {
        return "an operation such as '.add'";
      }
      return MissingInAtomic(type, space, m);
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
    case Opcode::kMovmatrix:
    case Opcode::kMma:
      return MissingInMatrix(opcode, instruction);
    case Opcode::kTcgen05:
      return instruction.tensor_memory.op == TensorMemoryOp::kNone ? "an operation such as '.ld'"
                                                                   : "";
    case Opcode::kWgmma:
      return m.warpgroup_op == WarpgroupOp::kNone ? "an operation such as '.mma_async'" : "";
    case Opcode::kCpAsync:
      return MissingInAsync(instruction);
    case Opcode::kTensormap:
      return MissingInTensormap(instruction);
    case Opcode::kCreatepolicy:
      return MissingInPolicy(instruction);
    case Opcode::kMbarrier:
      return MissingInMbarrier(instruction);
    case Opcode::kSuld:
    case Opcode::kSust:
      return MissingInSurface(instruction);
    case Opcode::kMapa:
    case Opcode::kGetctarank:
      return space == Space::kGeneric || space == Space::kShared
                 ? ""
                 : "'.shared::cluster' or no state space";
    case Opcode::kElect:
      return m.lane_sync ? "" : "'.sync'";
    case Opcode::kGriddepcontrol:
    case Opcode::kSetmaxnreg:
      return "";
    case Opcode::kBar:
      return MissingInBarrier(type, m);
    case Opcode::kShfl:
    case Opcode::kMatch:
    case Opcode::kVote:
    case Opcode::kRedux:
      return MissingInLaneOp(opcode, type, m);
    case Opcode::kMembar:
      return m.scope == MemoryScope::kNone ? "'.cta', '.gl' or '.sys'" : "";
    case Opcode::kFence:
      if (m.async_op != AsyncOp::kNone) return "";
      if (m.order == MemoryOrder::kWeak || m.order == MemoryOrder::kRelaxed) {
        return "'.sc', '.acq_rel' or no order";
      }
      return m.scope == MemoryScope::kNone ? "a scope such as '.gpu'" : "";
    case Opcode::kShf:
      if (m.shift_direction == ShiftDirection::kNone) return "'.l' or '.r'";
      return m.shift_mode == ShiftMode::kNone ? "'.clamp' or '.wrap'" : "";
    case Opcode::kBmsk:
    case Opcode::kSzext:
      return m.shift_mode == ShiftMode::kNone ? "'.clamp' or '.wrap'" : "";
    case Opcode::kMad24:
      if (m.saturate && (type != kS32 || m.mul_part != MulPart::kHi)) {
        return "no '.sat' but with '.hi' and s32";
      }
      [[fallthrough]];
    case Opcode::kDp2a:
    case Opcode::kMul24:
      return m.mul_part == MulPart::kLo || m.mul_part == MulPart::kHi ? "" : "'.lo' or '.hi'";
    case Opcode::kTanh:
      return m.approximate ? "" : "'.approx'";
    case Opcode::kTestp:
      return m.number_class == NumberClass::kNone ? "a class such as '.finite'" : "";
    case Opcode::kSlct:
      return m.flush_to_zero && instruction.source_type != kF32 ? "no '.ftz' without f32" : "";
    case Opcode::kTxq:
      if (m.query == TextureQuery::kNone) return "a query such as '.width'";
      return m.level && m.query > TextureQuery::kDepth ? "'.width', '.height' or '.depth'" : "";
    case Opcode::kTex:
      return MissingInTexture(instruction);
    case Opcode::kVabsdiff4:
      return m.saturate && m.accumulate ? "not both of '.sat' and '.add'" : "";
    case Opcode::kSet:
      return MissingInSet(type, instruction.source_type, m);
    case Opcode::kCvtPack:
      return MissingInPack(instruction);
    case Opcode::kLop3:
      return m.boolean_op == BooleanOp::kXor ? "'.or' or '.and'" : "";
    case Opcode::kMov:
      return m.vector > 1 && type == kPred ? "no vector of predicates" : "";
    case Opcode::kSetp:
      return MissingInComparison(type, m);
    case Opcode::kLd:
    case Opcode::kSt:
      return MissingInAccess(opcode, type, space, m);
    default:
      return IsFloat(type) ? MissingInFloat(opcode, type, m) : MissingInInteger(opcode, type, m);
  }
}

}  // namespace flagstone::ptx
