#include "kernels/ptx/missing_warp_part.h"

#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/matrix_forms.h"

namespace flagstone::ptx {

std::string_view MissingInBarrier(Type type, const Modifiers& m) {
  using enum Type;
  if (m.barrier_op == BarrierOp::kNone) return "'.sync', '.arrive' or '.red'";
  if (m.barrier_op >= BarrierOp::kClusterArrive) return type == kNone ? "" : "no type";
  if (m.barrier_op != BarrierOp::kRed) {
    const bool plain = m.atomic_op == AtomicOp::kNone && type == kNone;
    return plain ? "" : "no operation and no type without '.red'";
  }
  if (m.atomic_op == AtomicOp::kAnd || m.atomic_op == AtomicOp::kOr) {
    return type == kPred ? "" : "'.pred' with '.and' and '.or'";
  }
  if (m.atomic_op != AtomicOp::kPopc) return "'.popc', '.and' or '.or' with '.red'";
  return type == kU32 ? "" : "'.u32' with '.popc'";
}

std::string_view MissingInLaneOp(Opcode opcode, Type type, const Modifiers& m) {
  using enum Type;
  const LaneOp op = m.lane_op;
  switch (opcode) {
    case Opcode::kShfl:
      return op >= LaneOp::kUp && op <= LaneOp::kIdx ? "" : "'.up', '.down', '.bfly' or '.idx'";
    case Opcode::kMatch:
      if (!m.lane_sync) return "'.sync'";
      return op == LaneOp::kAny || op == LaneOp::kAll ? "" : "'.any' or '.all'";
    case Opcode::kVote:
      if (op == LaneOp::kBallot) return type == kB32 ? "" : "'.b32' with '.ballot'";
      if (op < LaneOp::kAll) return "'.all', '.any', '.uni' or '.ballot'";
      return type == kPred ? "" : "'.pred'";
    default:  // redux
      if (!m.lane_sync) return "'.sync'";
      switch (m.atomic_op) {
        case AtomicOp::kAdd:
        case AtomicOp::kMin:
        case AtomicOp::kMax:
          return type != kB32 ? "" : "'.u32' or '.s32'";
        case AtomicOp::kAnd:
        case AtomicOp::kOr:
        case AtomicOp::kXor:
          return type == kB32 ? "" : "'.b32'";
        default:
          return "an operation such as '.add'";
      }
  }
}

namespace {

// PTX ISA, section 9.7.14.3, Table 36.
std::string_view MissingInScales(const Modifiers& m) {
  const bool scaled = m.kind >= MatrixKind::kMxf8f6f4;
  if (m.block_scale != scaled) return scaled ? "'.block_scale'" : "a kind with '.block_scale'";
  if (!scaled) {
    const bool plain = m.scale_vectors == 0 && m.scale_type == ScaleType::kNone;
    return plain ? "" : "no scales without '.block_scale'";
  }
  if (m.scale_type == ScaleType::kNone) return "'.ue8m0' or '.ue4m3' as the type of the scales";
  const bool fours = m.scale_type == ScaleType::kUe4m3;
  switch (m.kind) {
    case MatrixKind::kMxf8f6f4:
      return ScalesOfRow(m) == 1 && !fours ? "" : "'.scale_vec::1X' and '.ue8m0'";
    case MatrixKind::kMxf4:
      return ScalesOfRow(m) == 2 && !fours ? "" : "'.scale_vec::2X' and '.ue8m0'";
    default:
      if (m.scale_vectors == 4) return "";
      return m.scale_vectors == 2 && !fours ? "" : "'.scale_vec::4X', or '.scale_vec::2X.ue8m0'";
  }
}

}  // namespace

std::string_view MissingInMatrix(Opcode opcode, const Instruction& i) {
  using enum Type;
  const Modifiers& m = i.modifiers;
  if (!m.lane_sync) return "'.sync.aligned'";
  if (opcode != Opcode::kMma) {
    if (m.shape != MatrixShape::kM8n8) return "'.m8n8'";
    if (opcode == Opcode::kMovmatrix) return m.transposed ? "" : "'.trans'";
    return i.space == Space::kShared || i.space == Space::kGeneric ? "" : "'.shared'";
  }
  if (m.transposed) return "no '.trans'";
  const MmaForm* const form = FindMma(i);
  if (form == nullptr) return "a shape and types of mma that are executed (docs/ptx.md)";
  if (form->quads) {
    if (m.b_layout == MatrixLayout::kNone) return "'.row' or '.col' for A and for B";
  } else if (m.a_layout != MatrixLayout::kRow || m.b_layout != MatrixLayout::kColumn) {
    return "'.row.col'";
  }
  if (m.sparse && m.kind != MatrixKind::kNone && !m.ordered_metadata) {
    return "'.sp::ordered_metadata' with a kind";
  }
  return MissingInScales(m);
}

}  // namespace flagstone::ptx
