// The table of instructions.
#include "ptx/instruction_table.h"

#include <algorithm>
#include <array>

namespace flagstone::ptx {
namespace {

using enum Type;

template <class... T>
constexpr uint32_t Set(T... members) {
  return (Bit(members) | ...);
}

constexpr uint32_t kPredicate = Set(kPred);
constexpr uint32_t kSignedInts = Set(kS16, kS32, kS64);
constexpr uint32_t kInts = kSignedInts | Set(kU16, kU32, kU64);
constexpr uint32_t kBits = Set(kB16, kB32, kB64);
constexpr uint32_t kFloats = Set(kF32, kF64);
constexpr uint32_t kBytes = Set(kU8, kS8);
constexpr uint32_t kAnyData = Set(kB8) | kBytes | kBits | kInts | kFloats;
constexpr uint32_t kAtomicTypes = Set(kB32, kB64, kU32, kU64, kS32, kS64) | kFloats;

constexpr uint32_t kFloatModifiers =
    Set(ModifierClass::kRounding, ModifierClass::kFlush, ModifierClass::kSaturate);
constexpr uint32_t kFlush = Set(ModifierClass::kFlush);
constexpr uint32_t kApproximate = Set(ModifierClass::kApproximate, ModifierClass::kFlush);
constexpr uint32_t kMemory = Set(
    ModifierClass::kSpace, ModifierClass::kVolatile, ModifierClass::kCache, ModifierClass::kOrder,
    ModifierClass::kScope, ModifierClass::kVector, ModifierClass::kIgnored);
constexpr uint32_t kAtomic = Set(ModifierClass::kSpace, ModifierClass::kAtomic,
                                 ModifierClass::kOrder, ModifierClass::kScope);
constexpr uint32_t kCompare =
    Set(ModifierClass::kComparison, ModifierClass::kBoolean, ModifierClass::kFlush);
constexpr uint32_t kRounded = Set(ModifierClass::kRounding) | kApproximate;
constexpr uint32_t kMul = Set(ModifierClass::kMulPart) | kFloatModifiers;
constexpr uint32_t kBarrier = Set(ModifierClass::kBarrier, ModifierClass::kIgnored);
constexpr uint32_t kUniform = Set(ModifierClass::kUniform);

constexpr std::array kRules = {
    InstructionRule{"abs", Opcode::kAbs, "DA", kSignedInts | kFloats, 0, kFlush},
    InstructionRule{"add", Opcode::kAdd, "DAA", kInts | kFloats, 0, kFloatModifiers},
    InstructionRule{"and", Opcode::kAnd, "DAA", kBits | kPredicate, 0, 0},
    InstructionRule{"atom", Opcode::kAtom, "TMAK", kAtomicTypes, 0, kAtomic},
    InstructionRule{"bar", Opcode::kBar, "12", 0, 0, kBarrier},
    InstructionRule{"barrier", Opcode::kBar, "12", 0, 0, kBarrier},
    InstructionRule{"bfe", Opcode::kBfe, "DAUU", Set(kU32, kU64, kS32, kS64), 0, 0},
    InstructionRule{"bfi", Opcode::kBfi, "DAAUU", Set(kB32, kB64), 0, 0},
    InstructionRule{"bra", Opcode::kBra, "L", 0, 0, kUniform},
    InstructionRule{"brev", Opcode::kBrev, "DA", Set(kB32, kB64), 0, 0},
    InstructionRule{"brx", Opcode::kBrx, "U", 0, 0, kUniform},
    InstructionRule{"call", Opcode::kCall, "", 0, 0, kUniform},
    // No text can spell these two: the inliner makes them.
    InstructionRule{"call __assertfail", Opcode::kAssertFail, "AAUA", Set(kU32, kU64), 0, 0},
    InstructionRule{"call vprintf", Opcode::kPrint, "NAA", Set(kU32, kU64), 0, 0},
    InstructionRule{"clz", Opcode::kClz, "NA", Set(kB32, kB64), 0, 0},
    InstructionRule{"cos", Opcode::kCos, "DA", Set(kF32), 0, kApproximate},
    InstructionRule{"cvt", Opcode::kCvt, "ds", kBytes | kInts | kFloats, kBytes | kInts | kFloats,
                    kFloatModifiers},
    InstructionRule{"cvta", Opcode::kCvta, "DG", Set(kU32, kU64), 0,
                    Set(ModifierClass::kSpace, ModifierClass::kTo)},
    InstructionRule{"div", Opcode::kDiv, "DAA", kInts | kFloats, 0,
                    kRounded | Set(ModifierClass::kFull)},
    InstructionRule{"ex2", Opcode::kEx2, "DA", Set(kF32), 0, kApproximate},
    InstructionRule{"exit", Opcode::kExit, "", 0, 0, 0},
    InstructionRule{"fma", Opcode::kFma, "DAAA", kFloats, 0, kFloatModifiers},
    InstructionRule{"ld", Opcode::kLd, "vM", kAnyData, 0,
                    kMemory | Set(ModifierClass::kNonCoherent)},
    InstructionRule{"lg2", Opcode::kLg2, "DA", Set(kF32), 0, kApproximate},
    InstructionRule{"mad", Opcode::kMad, "WAAC", kInts | kFloats, 0, kMul},
    InstructionRule{"max", Opcode::kMax, "DAA", kInts | kFloats, 0, kFlush},
    InstructionRule{"membar", Opcode::kMembar, "", 0, 0, Set(ModifierClass::kScope)},
    InstructionRule{"min", Opcode::kMin, "DAA", kInts | kFloats, 0, kFlush},
    InstructionRule{"mov", Opcode::kMov, "xy", kBits | kInts | kFloats | kPredicate, 0, 0},
    InstructionRule{"mul", Opcode::kMul, "WAA", kInts | kFloats, 0, kMul},
    InstructionRule{"neg", Opcode::kNeg, "DA", kSignedInts | kFloats, 0, kFlush},
    InstructionRule{"not", Opcode::kNot, "DA", kBits | kPredicate, 0, 0},
    InstructionRule{"or", Opcode::kOr, "DAA", kBits | kPredicate, 0, 0},
    InstructionRule{"popc", Opcode::kPopc, "NA", Set(kB32, kB64), 0, 0},
    InstructionRule{"prmt", Opcode::kPrmt, "DAAA", Set(kB32), 0, 0},
    InstructionRule{"rcp", Opcode::kRcp, "DA", kFloats, 0, kRounded},
    InstructionRule{"red", Opcode::kRed, "MA", kAtomicTypes, 0, kAtomic},
    InstructionRule{"rem", Opcode::kRem, "DAA", kInts, 0, 0},
    InstructionRule{"ret", Opcode::kRet, "", 0, 0, kUniform},
    InstructionRule{"rsqrt", Opcode::kRsqrt, "DA", kFloats, 0, kApproximate},
    InstructionRule{"sad", Opcode::kSad, "DAAA", kInts, 0, 0},
    InstructionRule{"selp", Opcode::kSelp, "DAAP", kBits | kInts | kFloats, 0, 0},
    InstructionRule{"set", Opcode::kSet, "DSSB", Set(kU32, kS32, kF32), kBits | kInts | kFloats,
                    kCompare},
    InstructionRule{"setp", Opcode::kSetp, "QAAB", kBits | kInts | kFloats, 0, kCompare},
    InstructionRule{"shl", Opcode::kShl, "DAU", kBits, 0, 0},
    InstructionRule{"shr", Opcode::kShr, "DAU", kBits | kInts, 0, 0},
    InstructionRule{"sin", Opcode::kSin, "DA", Set(kF32), 0, kApproximate},
    InstructionRule{"sqrt", Opcode::kSqrt, "DA", kFloats, 0, kRounded},
    InstructionRule{"st", Opcode::kSt, "Mw", kAnyData, 0, kMemory},
    InstructionRule{"sub", Opcode::kSub, "DAA", kInts | kFloats, 0, kFloatModifiers},
    InstructionRule{"trap", Opcode::kTrap, "", 0, 0, 0},
    InstructionRule{"xor", Opcode::kXor, "DAA", kBits | kPredicate, 0, 0},
};

constexpr bool InOrder() {
  for (size_t i = 1; i < kRules.size(); ++i) {
    if (kRules[i - 1].name >= kRules[i].name) return false;
  }
  return true;
}
static_assert(InOrder(), "FindInstructionRule searches by halves");

bool IntegerRounding(Rounding rounding) { return rounding >= Rounding::kRni; }

std::string_view MissingInConversion(Type to, Type from, const Modifiers& m) {
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

std::string_view MissingInAtomic(Type type, const Modifiers& m) {
  const uint32_t bit = Bit(type);
  switch (m.atomic_op) {
    case AtomicOp::kNone:
      return "an operation such as '.add'";
    case AtomicOp::kAdd:
      return bit & (Set(kU32, kU64, kS32) | kFloats) ? "" : "u32, s32, u64, f32 or f64 to add";
    case AtomicOp::kMin:
    case AtomicOp::kMax:
      return bit & Set(kU32, kU64, kS32, kS64) ? "" : "u32, s32, u64 or s64 to compare";
    case AtomicOp::kInc:
    case AtomicOp::kDec:
      return type == kU32 ? "" : "u32 to count";
    default:
      return bit & Set(kB32, kB64) ? "" : "b32 or b64";
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

std::string_view MissingInFloat(Opcode opcode, Type type, const Modifiers& m) {
  const bool flushes_f64 = opcode == Opcode::kRcp || opcode == Opcode::kRsqrt;
  if (type == kF64 && (m.saturate || (m.flush_to_zero && !flushes_f64))) {
    return "no '.ftz' or '.sat' on f64";
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
  if (m.rounding != Rounding::kNone || m.flush_to_zero || m.approximate || m.full || saturates) {
    return "no float modifier on an integer type";
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
  if (type == kF64 && m.flush_to_zero) return "no '.ftz' on f64";
  if (IsFloat(type)) return unsigned_only ? "a comparison for floats, such as '.lt'" : "";
  if (float_only) return "a comparison for integers, such as '.lt'";
  if (m.flush_to_zero) return "no float modifier on an integer type";
  const bool bits = (Bit(type) & kBits) != 0;
  if (bits && !equality) return "'.eq' or '.ne' on untyped bits";
  return "";
}

std::string_view MissingInAccess(Opcode opcode, Type type, Space space, const Modifiers& m) {
  if (m.vector * SizeInBytes(type) > 16) return "a vector of at most 16 bytes";
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
      m.order == MemoryOrder::kAcqRel;
  if (wrong_order) return "an order such as '.relaxed'";
  const bool store_cache = m.cache_op == CacheOp::kWb || m.cache_op == CacheOp::kWt;
  const bool load_cache =
      m.cache_op == CacheOp::kCa || m.cache_op == CacheOp::kLu || m.cache_op == CacheOp::kCv;
  if (opcode == Opcode::kLd ? store_cache : load_cache) return "a cache operator such as '.cg'";
  return "";
}

}  // namespace

std::span<const InstructionRule> InstructionRules() { return kRules; }

const InstructionRule* FindInstructionRule(std::string_view name) {
  const auto* const at = std::lower_bound(
      kRules.begin(), kRules.end(), name,
      [](const InstructionRule& rule, std::string_view wanted) { return rule.name < wanted; });
  return at != kRules.end() && at->name == name ? at : nullptr;
}

std::string_view MissingPart(Opcode opcode, Type type, Type source_type, Space space,
                             const Modifiers& m) {
  const bool plain_rounding = m.rounding < Rounding::kRni;
  if (opcode != Opcode::kCvt && !plain_rounding) return "a rounding such as '.rn'";
  switch (opcode) {
    case Opcode::kCvt:
      return MissingInConversion(type, source_type, m);
    case Opcode::kCvta:
      if (space == Space::kGeneric || space == Space::kReg || space == Space::kTex) {
        return "a state space such as '.global'";
      }
      return "";
    case Opcode::kAtom:
    case Opcode::kRed:
      if (space != Space::kGeneric && space != Space::kGlobal && space != Space::kShared) {
        return "'.global', '.shared' or no state space";
      }
      if (opcode == Opcode::kAtom) return MissingInAtomic(type, m);
      if (m.atomic_op == AtomicOp::kExch || m.atomic_op == AtomicOp::kCas) {
        return "an operation such as '.add'";
      }
      return MissingInAtomic(type, m);
    case Opcode::kBar:
      return m.barrier_op == BarrierOp::kNone ? "'.sync' or '.arrive'" : "";
    case Opcode::kMembar:
      return m.scope == MemoryScope::kNone ? "'.cta', '.gl' or '.sys'" : "";
    case Opcode::kSet:
      return MissingInComparison(source_type, m);
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
