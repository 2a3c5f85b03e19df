// What a combination of modifiers and types still lacks, or may not have (PTX ISA, chapter 9).
#include "ptx/instruction_table.h"
#include "ptx/matrix_forms.h"
#include "ptx/missing_async_part.h"

namespace flagstone::ptx {
namespace {

using enum Type;

constexpr uint64_t kScalarFloats = SetOf(kF32, kF64);
constexpr uint64_t kScalarBits = SetOf(kB16, kB32, kB64);

bool IntegerRounding(Rounding rounding) {
  return rounding >= Rounding::kRni && rounding <= Rounding::kRpi;
}

bool IsFloat8(Type type) { return type == kE4m3x2 || type == kE5m2x2; }

// Of conversions to and from packed types and tf32.
std::string_view MissingInPacking(Type to, Type from, const Modifiers& m) {
  const bool nearest = m.rounding == Rounding::kRn;
  if (m.saturate || m.flush_to_zero) return "no '.ftz' or '.sat' on this type";
  if (to == kTf32) {
    if (from != kF32) return "f32 as the type to convert";
    if (m.rounding == Rounding::kRna) return m.relu ? "no '.relu' with '.rna'" : "";
    return nearest || m.rounding == Rounding::kRz ? "" : "'.rna', '.rn' or '.rz'";
  }
  if (from == kTf32) return "another type to convert";
  if (IsFloat8(to)) {
    if (from != kF32 && from != kF16x2) return "f32 or f16x2 as the type to convert";
    return nearest && m.finite ? "" : "'.rn.satfinite'";
  }
  if (to == kF16x2 && IsFloat8(from)) return nearest && !m.finite ? "" : "'.rn'";
  if ((to == kF16x2 || to == kBf16x2) && from == kF32) {
    return nearest || m.rounding == Rounding::kRz ? "" : "'.rn' or '.rz'";
  }
  return "types that can be converted";
}

std::string_view MissingInConversion(Type to, Type from, const Modifiers& m) {
  if (IsPacked(to) || IsPacked(from) || to == kTf32 || from == kTf32) {
    return MissingInPacking(to, from, m);
  }
  const bool to_half = IsHalf(to);
  if (m.rounding == Rounding::kRna) return "another rounding than '.rna'";
  if ((m.relu || m.finite) &&
      !(to_half && from == kF32 && (m.rounding == Rounding::kRn || m.rounding == Rounding::kRz))) {
    return "no '.relu' or '.satfinite' but from f32 to halves, with '.rn' or '.rz'";
  }
  if ((m.relu || m.finite) && m.saturate) return "no '.sat' with '.relu' or '.satfinite'";
  if (m.saturate && (to == kBf16 || from == kBf16)) return "no '.sat' on bf16";
  if (to_half && IsHalf(from) && to != from) {
    const bool plain = m.rounding != Rounding::kNone && !IntegerRounding(m.rounding);
    return plain ? "" : "a rounding such as '.rn'";
  }
  if (to == kBf16 && from == kBf16 && m.rounding == Rounding::kNone) return "an integer rounding";
  const bool rounded = m.rounding != Rounding::kNone;
  const bool integer_rounding = IntegerRounding(m.rounding);
  if (m.flush_to_zero && to != kF32 && from != kF32) return "no '.ftz' without f32";
  if (IsFloat(from) && !IsFloat(to)) {
    return integer_rounding ? "" : "an integer rounding such as '.rzi'";
  }
  if (!IsFloat(from) && !IsFloat(to)) return rounded ? "no rounding between integers" : "";
  if (!IsFloat(from)) return rounded && !integer_rounding ? "" : "a rounding such as '.rn'";
  if (SizeInBytes(to) < SizeInBytes(from)) {
    return rounded && !integer_rounding ? "" : "a rounding such as '.rn'";
  }
  const bool same = to == from;
  return rounded && !(same && integer_rounding)
             ? "no rounding but '.rni' and its like, and these only where both types are the same"
             : "";
}

// Each element by itself, in global memory (PTX ISA, sections 9.7.13.5 and 9.7.13.7).
std::string_view MissingInVectorAtomic(Type type, Space space, const Modifiers& m) {
  if (space != Space::kGlobal && space != Space::kGeneric) return "'.global' with a vector";
  if (type == kF32) {
    if (m.vector == 8) return "'.v2' or '.v4' with f32";
    return m.atomic_op == AtomicOp::kAdd ? "" : "'.add' on vectors of f32";
  }
  if (!IsHalf(type)) return "f32 or halves in a vector";
  if (m.vector == 8 && IsPacked(type)) return "'.v2' or '.v4' with packed halves";
  const bool known = m.atomic_op == AtomicOp::kAdd || m.atomic_op == AtomicOp::kMin ||
                     m.atomic_op == AtomicOp::kMax;
  return known ? "" : "'.add', '.min' or '.max' on vectors of halves";
}

std::string_view MissingInAtomic(Type type, Space space, const Modifiers& m) {
  if (m.vector > 1) return MissingInVectorAtomic(type, space, m);
  const uint64_t bit = Bit(type);
  switch (m.atomic_op) {
    case AtomicOp::kNone:
      return "an operation such as '.add'";
    case AtomicOp::kAdd:
      return bit & (SetOf(kU32, kU64, kS32, kF16, kF16x2, kBf16, kBf16x2) | kScalarFloats)
                 ? ""
                 : "u32, s32, u64, a float or halves to add";
    case AtomicOp::kMin:
    case AtomicOp::kMax:
      return bit & SetOf(kU32, kU64, kS32, kS64) ? "" : "u32, s32, u64 or s64 to compare";
    case AtomicOp::kInc:
    case AtomicOp::kDec:
      return type == kU32 ? "" : "u32 to count";
    case AtomicOp::kPopc:
      return "an operation such as '.add'";
    case AtomicOp::kCas:
      return bit & SetOf(kB16, kB32, kB64) ? "" : "b16, b32 or b64";
    default:
      return bit & SetOf(kB32, kB64) ? "" : "b32 or b64";
  }
}

// The one of `.approx`, `.full` and a rounding that a float division or root needs.
std::string_view MissingPrecision(Opcode opcode, Type type, const Modifiers& m) {
  const int given =
      (m.rounding != Rounding::kNone ? 1 : 0) + (m.approximate ? 1 : 0) + (m.full ? 1 : 0);
  // rcp.approx.ftz.f64 and rsqrt.approx.f64 are the only approximations in double precision.
  const bool exact_only = type == kF64 && (opcode == Opcode::kDiv || opcode == Opcode::kSqrt);
  if (given != 1 || (exact_only && m.rounding == Rounding::kNone)) {
    return exact_only ? "a rounding such as '.rn'" : "either '.approx' or a rounding such as '.rn'";
  }
  return "";
}

// Of f16, bf16 and their pairs (PTX ISA, section 9.7.4).
std::string_view MissingInHalf(Opcode opcode, Type type, const Modifiers& m) {
  const bool is_bf16 = type == kBf16 || type == kBf16x2;
  if (m.rounding != Rounding::kNone && m.rounding != Rounding::kRn) return "no rounding but '.rn'";
  if (m.mul_part != MulPart::kNone) return "no '.lo', '.hi' or '.wide' on a float type";
  if (is_bf16 && m.saturate) return "no '.sat' on bf16";
  switch (opcode) {
    case Opcode::kFma:
      if (m.rounding == Rounding::kNone) return "a rounding such as '.rn'";
      if (m.relu && m.saturate) return "not both of '.relu' and '.sat'";
      break;
    case Opcode::kEx2:
      if (!m.approximate) return "'.approx'";
      return is_bf16 == m.flush_to_zero ? "" : "'.ftz' with bf16 alone";
    case Opcode::kTanh:
      return m.approximate ? "" : "'.approx'";
    default:
      break;
  }
  return is_bf16 && m.flush_to_zero ? "no '.ftz' on bf16" : "";
}

std::string_view MissingInFloat(Opcode opcode, Type type, const Modifiers& m) {
  if (m.carry_out) return "no '.cc' on a float type";
  if (IsHalf(type)) return MissingInHalf(opcode, type, m);
  if (m.relu) return "no '.relu' on this type";
  if (type == kF32x2) {
    if (m.saturate || m.mul_part != MulPart::kNone) return "no '.sat' or part on f32x2";
    const bool rounds = opcode != Opcode::kFma || m.rounding != Rounding::kNone;
    return rounds ? "" : "a rounding such as '.rn'";
  }
  if (type == kF64 && (m.nan || m.xor_sign)) return "no '.NaN' or '.xorsign' on f64";
  const bool flushes_f64 = m.approximate && (opcode == Opcode::kRcp || opcode == Opcode::kRsqrt);
  if (type == kF64 && (m.saturate || (m.flush_to_zero && !flushes_f64))) {
    return "no '.ftz' or '.sat' on f64";
  }
  if (type == kF64 && opcode == Opcode::kRcp && m.approximate && !m.flush_to_zero) {
    return "'.ftz' with '.approx' on f64";
  }
  switch (opcode) {
    case Opcode::kFma:
      return m.rounding == Rounding::kNone ? "a rounding such as '.rn'" : "";
    case Opcode::kDiv:
    case Opcode::kRcp:
    case Opcode::kSqrt:
      return MissingPrecision(opcode, type, m);
    case Opcode::kCos:
    case Opcode::kEx2:
    case Opcode::kLg2:
    case Opcode::kRsqrt:
    case Opcode::kSin:
      return m.approximate ? "" : "'.approx'";
    case Opcode::kMul:
    case Opcode::kMad:
      return m.mul_part != MulPart::kNone ? "no '.lo', '.hi' or '.wide' on a float type" : "";
    default:
      return "";
  }
}

std::string_view MissingInInteger(Opcode opcode, Type type, const Modifiers& m) {
  // Only add, sub and mad saturate integers, and only s32.
  const bool saturates = m.saturate && (type != kS32 || opcode == Opcode::kMul ||
                                        (opcode == Opcode::kMad && m.mul_part != MulPart::kHi));
  if (m.nan || m.xor_sign) return "no float modifier on an integer type";
  if (m.carry_out && (SizeInBytes(type) < 4 || m.saturate || m.mul_part == MulPart::kWide)) {
    return "'.cc' on a type of 32 or 64 bits, without '.sat' and '.wide'";
  }
  if (m.rounding != Rounding::kNone || m.flush_to_zero || m.approximate || m.full || saturates) {
    return "no float modifier on an integer type";
  }
  if (opcode == Opcode::kMadCarry) {
    return m.mul_part == MulPart::kLo || m.mul_part == MulPart::kHi ? "" : "'.lo' or '.hi'";
  }
  if (opcode != Opcode::kMul && opcode != Opcode::kMad) return "";
  if (m.mul_part == MulPart::kNone) return "'.lo', '.hi' or '.wide'";
  if (m.mul_part == MulPart::kWide && SizeInBytes(type) == 8) {
    return "'.wide' on a type of 16 or 32 bits";
  }
  return "";
}

std::string_view MissingInComparison(Type type, const Modifiers& m) {
  if (m.comparison == Comparison::kNone) return "a comparison such as '.lt'";
  const bool equality = m.comparison == Comparison::kEq || m.comparison == Comparison::kNe;
  const bool float_only = m.comparison >= Comparison::kEqu;
  const bool unsigned_only = m.comparison >= Comparison::kLo && m.comparison <= Comparison::kHs;
  const bool unflushed = type == kF64 || type == kBf16 || type == kBf16x2;
  if (unflushed && m.flush_to_zero) return "no '.ftz' on this type";
  if (IsFloat(type)) return unsigned_only ? "a comparison for floats, such as '.lt'" : "";
  if (float_only) return "a comparison for integers, such as '.lt'";
  if (m.flush_to_zero) return "no float modifier on an integer type";
  const bool bits = (Bit(type) & kScalarBits) != 0;
  if (bits && !equality) return "'.eq' or '.ne' on untyped bits";
  return "";
}

// Halves go with halves: what the others may be, section 9.7.7.1 of the ISA lists.
std::string_view MissingInSet(Type type, Type compared, const Modifiers& m) {
  const bool is_word = type == kU32 || type == kS32;
  if (IsPacked(type) && type != compared) return "the same packed type twice";
  if (IsPacked(compared) && type != compared && !is_word) return "u32, s32 or the same packed type";
  const bool compares_half = compared == kF16 || compared == kBf16;
  if ((type == kU16 || type == kS16) && !compares_half) return "f16 or bf16 as the second type";
  if (type == kF32 && compares_half) return "an integer or a half as the result";
  if ((type == kF16 && compared == kBf16) || (type == kBf16 && compared == kF16)) {
    return "the same half type twice";
  }
  return MissingInComparison(compared, m);
}

std::string_view MissingInPack(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (!m.saturate) return "'.sat'";
  if (i.source_type != kS32) return "'.s32' as the type of both sources";
  const bool halves = i.type == kU16 || i.type == kS16;
  if (halves) return i.third_type == kNone ? "" : "no third type with 16 bits";
  return i.third_type == kB32 ? "" : "'.b32' as the third type";
}

// Of 32 bytes there are four elements of 64 bits or eight of 32, in global memory alone.
std::string_view MissingInVector(Type type, Space space, const Modifiers& m) {
  if (m.vector == 8 && SizeInBytes(type) != 4) return "a type of 32 bits with '.v8'";
  if (m.vector * SizeInBytes(type) <= 16) return "";
  return space == Space::kGlobal ? "" : "a vector of at most 16 bytes outside of '.global'";
}

std::string_view MissingInAccess(Opcode opcode, Type type, Space space, const Modifiers& m) {
  const std::string_view vector = MissingInVector(type, space, m);
  if (!vector.empty()) return vector;
  if (m.non_coherent && space != Space::kGlobal) return "'.global' with '.nc'";
  if (opcode == Opcode::kSt && space == Space::kConst) {
    return "a state space that a kernel can write, such as '.global'";
  }
  const bool ordered = m.order > MemoryOrder::kWeak;
  if (ordered != (m.scope != MemoryScope::kNone)) {
    return "a scope such as '.gpu' together with an order such as '.relaxed'";
  }
  const int kinds = (m.order != MemoryOrder::kNone ? 1 : 0) + (m.volatile_access ? 1 : 0);
  const bool cached = m.cache_op != CacheOp::kNone;
  if (kinds > 1 || (cached && (ordered || m.volatile_access))) {
    return "only one of '.volatile', a memory order and a cache operator";
  }
  const bool wrong_order =
      m.order == (opcode == Opcode::kLd ? MemoryOrder::kRelease : MemoryOrder::kAcquire) ||
      m.order >= MemoryOrder::kAcqRel;
  if (wrong_order) return "an order such as '.relaxed'";
  const bool store_cache = m.cache_op == CacheOp::kWb || m.cache_op == CacheOp::kWt;
  const bool load_cache =
      m.cache_op == CacheOp::kCa || m.cache_op == CacheOp::kLu || m.cache_op == CacheOp::kCv;
  if (opcode == Opcode::kLd ? store_cache : load_cache) return "a cache operator such as '.cg'";
  return "";
}

std::string_view MissingInBarrier(Type type, const Modifiers& m) {
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

std::string_view MissingInMatrix(Opcode opcode, const Instruction& i) {
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
  // The kind names the types, of the longest shape only, and changes nothing.
  const bool narrow = i.source_type == kE4m3 || i.source_type == kE5m2;
  if (!m.narrow_floats || (narrow && m.shape == MatrixShape::kM16n8k32)) return "";
  return "no '.kind::f8f6f4' but on m16n8k32 of floats of 8 bits";
}

std::string_view MissingInSurface(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.geometry == Geometry::kNone || m.geometry == Geometry::kCube) {
    return "a geometry such as '.2d'";
  }
  if (m.vector * SizeInBytes(i.type) > 16) return "a vector of at most 16 bytes";
  return m.surface_mode == SurfaceMode::kNone ? "'.trap', '.clamp' or '.zero'" : "";
}

std::string_view MissingInTexture(const Instruction& instruction) {
  const Modifiers& m = instruction.modifiers;
  if (m.vector != 4) return "'.v4'";
  if (m.geometry == Geometry::kNone) return "a geometry such as '.2d'";
  const bool by_texel = instruction.source_type == kS32;
  if (by_texel && m.geometry == Geometry::kCube) return "coordinates of type f32 with '.cube'";
  if (by_texel && m.level) return "coordinates of type f32 with '.level'";
  return "";
}

}  // namespace

std::string_view MissingPart(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const Type type = instruction.type;
  const Space space = instruction.space;
  const Modifiers& m = instruction.modifiers;
  const bool plain_rounding = m.rounding < Rounding::kRni;
  if (m.rounding == Rounding::kRna && opcode != Opcode::kCvt) return "another rounding";
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
    case Opcode::kCpAsync:
      return MissingInAsync(instruction);
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
    case Opcode::kDp2a:
    case Opcode::kMul24:
    case Opcode::kMad24:
      return m.mul_part == MulPart::kLo || m.mul_part == MulPart::kHi ? "" : "'.lo' or '.hi'";
    case Opcode::kTanh:
      return m.approximate ? "" : "'.approx'";
    case Opcode::kTestp:
      return m.number_class == NumberClass::kNone ? "a class such as '.finite'" : "";
    case Opcode::kSlct:
      return m.flush_to_zero && instruction.source_type != kF32 ? "no '.ftz' without f32" : "";
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
