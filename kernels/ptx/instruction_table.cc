// The table of instructions.
#include "kernels/ptx/instruction_table.h"

#include <algorithm>
#include <array>

namespace flagstone::ptx {
namespace {

using enum Type;

constexpr uint64_t kPredicate = SetOf(kPred);
constexpr uint64_t kSignedInts = SetOf(kS16, kS32, kS64);
constexpr uint64_t kInts = kSignedInts | SetOf(kU16, kU32, kU64);
constexpr uint64_t kBits = SetOf(kB16, kB32, kB64);
constexpr uint64_t kFloats = SetOf(kF32, kF64);
constexpr uint64_t kPairs = SetOf(kF32x2);
constexpr uint64_t kIntegerPairs = SetOf(kU16x2, kS16x2);
constexpr uint64_t kHalves = SetOf(kF16, kF16x2, kBf16, kBf16x2);
constexpr uint64_t kNarrow = kHalves | SetOf(kTf32, kE4m3x2, kE5m2x2, kE2m1x2, kE2m3x2, kE3m2x2,
                                             kUe8m0x2, kE4m3x4, kE5m2x4, kE2m1x4, kE2m3x4, kE3m2x4);
constexpr uint64_t kBytes = SetOf(kU8, kS8);
constexpr uint64_t kBelowBytes = SetOf(kU2, kS2, kU4, kS4);
constexpr uint64_t kAnyData = SetOf(kB8) | kBytes | kBits | kInts | kFloats;
constexpr uint64_t kWordTypes = SetOf(kU32, kS32);
constexpr uint64_t kAtomicTypes =
    SetOf(kB16, kB32, kB64, kU32, kU64, kS32, kS64) | kFloats | kHalves;

constexpr uint64_t kReducedTypes =
    SetOf(kNone, kB32, kB64, kU32, kU64, kS32, kS64, kF16, kBf16) | kFloats;

constexpr uint64_t kFloatModifiers =
    SetOf(ModifierClass::kRounding, ModifierClass::kFlush, ModifierClass::kSaturate);
constexpr uint64_t kFlush = SetOf(ModifierClass::kFlush);
constexpr uint64_t kCarry = SetOf(ModifierClass::kCarry);
constexpr uint64_t kMinMax =
    kFlush | SetOf(ModifierClass::kNan, ModifierClass::kXorSign, ModifierClass::kRelu);
constexpr uint64_t kMatrix = SetOf(ModifierClass::kLaneSync, ModifierClass::kIgnored,
                                   ModifierClass::kShape, ModifierClass::kTranspose);
constexpr uint64_t kCarryTypes = SetOf(kU32, kS32, kU64, kS64);
constexpr uint64_t kApproximate = SetOf(ModifierClass::kApproximate, ModifierClass::kFlush);
constexpr uint64_t kMemory =
    SetOf(ModifierClass::kSpace, ModifierClass::kVolatile, ModifierClass::kCache,
          ModifierClass::kOrder, ModifierClass::kScope, ModifierClass::kVector,
          ModifierClass::kCachePolicy, ModifierClass::kIgnored);
constexpr uint64_t kAtomic = SetOf(
    ModifierClass::kSpace, ModifierClass::kAtomic, ModifierClass::kOrder, ModifierClass::kScope,
    ModifierClass::kVector, ModifierClass::kCachePolicy, ModifierClass::kIgnored);
constexpr uint64_t kCompare =
    SetOf(ModifierClass::kComparison, ModifierClass::kBoolean, ModifierClass::kFlush);
constexpr uint64_t kRounded = SetOf(ModifierClass::kRounding) | kApproximate;
constexpr uint64_t kMul = SetOf(ModifierClass::kMulPart) | kFloatModifiers;
constexpr uint64_t kBarrier =
    SetOf(ModifierClass::kBarrier, ModifierClass::kAtomic, ModifierClass::kIgnored);
constexpr uint64_t kBarrierTypes = SetOf(kNone, kPred, kU32);
constexpr uint64_t kLanes = SetOf(ModifierClass::kLaneOp, ModifierClass::kLaneSync);
constexpr uint64_t kShiftMode = SetOf(ModifierClass::kShiftMode);
constexpr uint64_t kUniform = SetOf(ModifierClass::kUniform);
constexpr uint64_t kSurfaceTypes = SetOf(kB8) | kBits;
constexpr uint64_t kSurface = SetOf(ModifierClass::kSurface, ModifierClass::kGeometry,
                                    ModifierClass::kVector, ModifierClass::kCache);

constexpr std::array kRules = {
    InstructionRule{"abs", Opcode::kAbs, "DA", kSignedInts | kFloats | kHalves, 0, kFlush},
    InstructionRule{"activemask", Opcode::kActivemask, "N", SetOf(kB32), 0, 0},
    InstructionRule{"add", Opcode::kAdd, "DAA", kInts | kIntegerPairs | kFloats | kHalves | kPairs,
                    0, kFloatModifiers | kCarry},
    InstructionRule{"addc", Opcode::kAddCarry, "DAA", kCarryTypes, 0, kCarry},
    InstructionRule{"alloca", Opcode::kAlloca, "DA", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"and", Opcode::kAnd, "DAA", kBits | kPredicate, 0, 0},
    InstructionRule{"atom", Opcode::kAtom, "TMAK", kAtomicTypes, 0, kAtomic},
    InstructionRule{"bar", Opcode::kBar, "12", kBarrierTypes, 0, kBarrier},
    InstructionRule{"barrier", Opcode::kBar, "12", kBarrierTypes, 0, kBarrier},
    InstructionRule{"bfe", Opcode::kBfe, "DAUU", SetOf(kU32, kU64, kS32, kS64), 0, 0},
    InstructionRule{"bfi", Opcode::kBfi, "DAAUU", SetOf(kB32, kB64), 0, 0},
    InstructionRule{"bfind", Opcode::kBfind, "NA", SetOf(kU32, kU64, kS32, kS64), 0,
                    SetOf(ModifierClass::kShiftAmount)},
    InstructionRule{"bmsk", Opcode::kBmsk, "DAA", SetOf(kB32), 0, kShiftMode},
    InstructionRule{"bra", Opcode::kBra, "L", 0, 0, kUniform},
    InstructionRule{"brev", Opcode::kBrev, "DA", SetOf(kB32, kB64), 0, 0},
    InstructionRule{"brkpt", Opcode::kBrkpt, "", 0, 0, 0},
    InstructionRule{"brx", Opcode::kBrx, "U", 0, 0, kUniform},
    InstructionRule{"call", Opcode::kCall, "", 0, 0, kUniform},
    // No text can spell these five: the inliner makes them.
    InstructionRule{"call __assertfail", Opcode::kAssertFail, "AAUA", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"call free", Opcode::kFree, "A", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"call malloc", Opcode::kAllocate, "DA", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"call too deep", Opcode::kStackOverflow, "A", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"call vprintf", Opcode::kPrint, "NAA", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"clz", Opcode::kClz, "NA", SetOf(kB32, kB64), 0, 0},
    InstructionRule{"copysign", Opcode::kCopysign, "DAA", kFloats, 0, 0},
    InstructionRule{"cos", Opcode::kCos, "DA", SetOf(kF32), 0, kApproximate},
    InstructionRule{
        "cp", Opcode::kCpAsync, "MmJ", kReducedTypes, 0,
        SetOf(ModifierClass::kAsync, ModifierClass::kAtomic, ModifierClass::kCache,
              ModifierClass::kSpace, ModifierClass::kCachePolicy, ModifierClass::kIgnored)},
    InstructionRule{"createpolicy", Opcode::kCreatepolicy, "DA", SetOf(kB64), 0,
                    SetOf(ModifierClass::kSpace)},
    InstructionRule{"cvt", Opcode::kCvt, "ds", kBytes | kInts | kFloats | kNarrow,
                    kBytes | kInts | kFloats | kNarrow,
                    kFloatModifiers | SetOf(ModifierClass::kRelu, ModifierClass::kFinite)},
    // "cvt" where ".pack" follows: see InstructionParser::FindRule.
    InstructionRule{"cvt.pack", Opcode::kCvtPack, "NSSU", kBytes | kBelowBytes | SetOf(kU16, kS16),
                    SetOf(kNone, kS32, kB32), SetOf(ModifierClass::kSaturate), true},
    InstructionRule{"cvta", Opcode::kCvta, "DG", SetOf(kU32, kU64), 0,
                    SetOf(ModifierClass::kSpace, ModifierClass::kTo)},
    InstructionRule{"div", Opcode::kDiv, "DAA", kInts | kFloats, 0,
                    kRounded | SetOf(ModifierClass::kFull)},
    InstructionRule{"dp2a", Opcode::kDp2a, "NUUU", kWordTypes, kWordTypes,
                    SetOf(ModifierClass::kMulPart)},
    InstructionRule{"dp4a", Opcode::kDp4a, "NUUU", kWordTypes, kWordTypes, 0},
    InstructionRule{"elect", Opcode::kElect, "RY", 0, 0, SetOf(ModifierClass::kLaneSync)},
    InstructionRule{"ex2", Opcode::kEx2, "DA", SetOf(kF32) | kHalves, 0, kApproximate},
    InstructionRule{"exit", Opcode::kExit, "", 0, 0, 0},
    InstructionRule{"fence", Opcode::kFence, "MJ", 0, 0,
                    SetOf(ModifierClass::kOrder, ModifierClass::kScope)},
    InstructionRule{"fma", Opcode::kFma, "DAAA", kFloats | kHalves | kPairs, 0,
                    kFloatModifiers | SetOf(ModifierClass::kRelu)},
    InstructionRule{"fns", Opcode::kFns, "NUUU", SetOf(kB32), 0, 0},
    InstructionRule{"getctarank", Opcode::kGetctarank, "NG", SetOf(kU32, kU64), 0,
                    SetOf(ModifierClass::kSpace)},
    InstructionRule{"griddepcontrol", Opcode::kGriddepcontrol, "", 0, 0, 0},
    InstructionRule{"isspacep", Opcode::kIsspacep, "QE", 0, 0, SetOf(ModifierClass::kSpace)},
    InstructionRule{"ld", Opcode::kLd, "vM", kAnyData, 0,
                    kMemory | SetOf(ModifierClass::kNonCoherent)},
    InstructionRule{"ldmatrix", Opcode::kLdmatrix, "ZM", SetOf(kB16), 0,
                    kMatrix | SetOf(ModifierClass::kMatrices, ModifierClass::kSpace)},
    InstructionRule{"ldu", Opcode::kLd, "vM", kAnyData, 0,
                    SetOf(ModifierClass::kSpace, ModifierClass::kVector)},
    InstructionRule{"lg2", Opcode::kLg2, "DA", SetOf(kF32), 0, kApproximate},
    InstructionRule{"lop3", Opcode::kLop3, "RAAAIB", SetOf(kB32), 0,
                    SetOf(ModifierClass::kBoolean)},
    InstructionRule{"mad", Opcode::kMad, "WAAC", kInts | kFloats, 0, kMul | kCarry},
    InstructionRule{"mad24", Opcode::kMad24, "DAAA", kWordTypes, 0,
                    SetOf(ModifierClass::kMulPart, ModifierClass::kSaturate)},
    InstructionRule{"madc", Opcode::kMadCarry, "DAAA", kCarryTypes, 0,
                    kCarry | SetOf(ModifierClass::kMulPart)},
    InstructionRule{"mapa", Opcode::kMapa, "DGU", SetOf(kU32, kU64), 0,
                    SetOf(ModifierClass::kSpace)},
    InstructionRule{"match", Opcode::kMatch, "RAY", SetOf(kB32, kB64), 0, kLanes},
    InstructionRule{"max", Opcode::kMax, "DAA", kInts | kIntegerPairs | kFloats | kHalves, 0,
                    kMinMax},
    InstructionRule{"mbarrier", Opcode::kMbarrier, "MU", SetOf(kB64), 0,
                    SetOf(ModifierClass::kMbarrier, ModifierClass::kParity, ModifierClass::kSpace,
                          ModifierClass::kOrder, ModifierClass::kScope)},
    InstructionRule{"membar", Opcode::kMembar, "", 0, 0, SetOf(ModifierClass::kScope)},
    InstructionRule{"min", Opcode::kMin, "DAA", kInts | kIntegerPairs | kFloats | kHalves, 0,
                    kMinMax},
    InstructionRule{"mma", Opcode::kMma, "Zzzt", SetOf(kF16, kF32, kF64, kS32),
                    SetOf(kF16, kBf16, kTf32, kF64, kS8, kU8, kS4, kU4, kB1, kE4m3, kE5m2) |
                        SetOf(kE3m2, kE2m3, kE2m1),
                    kMatrix | SetOf(ModifierClass::kFinite, ModifierClass::kBoolean), true},
    InstructionRule{"mov", Opcode::kMov, "xy", kBits | kInts | kFloats | kPredicate, 0,
                    SetOf(ModifierClass::kVector)},
    InstructionRule{"movmatrix", Opcode::kMovmatrix, "NU", SetOf(kB16), 0, kMatrix},
    InstructionRule{"mul", Opcode::kMul, "WAA", kInts | kFloats | kHalves | kPairs, 0, kMul},
    InstructionRule{"mul24", Opcode::kMul24, "DAA", kWordTypes, 0, SetOf(ModifierClass::kMulPart)},
    InstructionRule{"nanosleep", Opcode::kNanosleep, "A", SetOf(kU32), 0, 0},
    InstructionRule{"neg", Opcode::kNeg, "DA", kSignedInts | kFloats | kHalves, 0, kFlush},
    InstructionRule{"not", Opcode::kNot, "DA", kBits | kPredicate, 0, 0},
    InstructionRule{"or", Opcode::kOr, "DAA", kBits | kPredicate, 0, 0},
    InstructionRule{"popc", Opcode::kPopc, "NA", SetOf(kB32, kB64), 0, 0},
    InstructionRule{"prefetch", Opcode::kPrefetch, "M", 0, 0,
                    SetOf(ModifierClass::kSpace, ModifierClass::kIgnored)},
    InstructionRule{"prefetchu", Opcode::kPrefetch, "M", 0, 0, SetOf(ModifierClass::kIgnored)},
    InstructionRule{"prmt", Opcode::kPrmt, "DAAA", SetOf(kB32), 0, SetOf(ModifierClass::kPermute)},
    InstructionRule{"rcp", Opcode::kRcp, "DA", kFloats, 0, kRounded},
    InstructionRule{"red", Opcode::kRed, "MA", kAtomicTypes, 0, kAtomic},
    InstructionRule{"redux", Opcode::kRedux, "NAY", SetOf(kB32, kU32, kS32), 0,
                    SetOf(ModifierClass::kAtomic, ModifierClass::kLaneSync)},
    InstructionRule{"rem", Opcode::kRem, "DAA", kInts, 0, 0},
    InstructionRule{"ret", Opcode::kRet, "", 0, 0, kUniform},
    InstructionRule{"rsqrt", Opcode::kRsqrt, "DA", kFloats, 0, kApproximate},
    InstructionRule{"sad", Opcode::kSad, "DAAA", kInts, 0, 0},
    InstructionRule{"selp", Opcode::kSelp, "DAAP", kBits | kInts | kFloats, 0, 0},
    InstructionRule{"set", Opcode::kSet, "DSSB", kWordTypes | SetOf(kU16, kS16, kF32) | kHalves,
                    kBits | kInts | kFloats | kHalves, kCompare},
    InstructionRule{"setmaxnreg", Opcode::kSetmaxnreg, "J", SetOf(kU32), 0,
                    SetOf(ModifierClass::kLaneSync, ModifierClass::kIgnored)},
    InstructionRule{"setp", Opcode::kSetp, "QAAB", kBits | kInts | kFloats | kHalves, 0, kCompare},
    InstructionRule{"shf", Opcode::kShf, "DAAU", SetOf(kB32), 0,
                    kShiftMode | SetOf(ModifierClass::kShiftDirection)},
    InstructionRule{"shfl", Opcode::kShfl, "RAUUY", SetOf(kB32), 0, kLanes},
    InstructionRule{"shl", Opcode::kShl, "DAU", kBits, 0, 0},
    InstructionRule{"shr", Opcode::kShr, "DAU", kBits | kInts, 0, 0},
    InstructionRule{"sin", Opcode::kSin, "DA", SetOf(kF32), 0, kApproximate},
    InstructionRule{"slct", Opcode::kSlct, "DAAS", kBits | kInts | kFloats, SetOf(kS32, kF32),
                    kFlush},
    InstructionRule{"sqrt", Opcode::kSqrt, "DA", kFloats, 0, kRounded},
    InstructionRule{"st", Opcode::kSt, "Mw", kAnyData, 0, kMemory},
    InstructionRule{"stackrestore", Opcode::kStackrestore, "A", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"stacksave", Opcode::kStacksave, "D", SetOf(kU32, kU64), 0, 0},
    InstructionRule{"stmatrix", Opcode::kStmatrix, "Mz", SetOf(kB16), 0,
                    kMatrix | SetOf(ModifierClass::kMatrices, ModifierClass::kSpace)},
    InstructionRule{"sub", Opcode::kSub, "DAA", kInts | kFloats | kHalves | kPairs, 0,
                    kFloatModifiers | kCarry},
    InstructionRule{"subc", Opcode::kSubCarry, "DAA", kCarryTypes, 0, kCarry},
    InstructionRule{"suld", Opcode::kSuld, "vX", kSurfaceTypes, 0, kSurface},
    InstructionRule{"suq", Opcode::kTxq, "Nn", SetOf(kB32), 0, 0},
    InstructionRule{"sust", Opcode::kSust, "Xw", kSurfaceTypes, 0, kSurface},
    InstructionRule{"szext", Opcode::kSzext, "DAU", kWordTypes, 0, kShiftMode},
    InstructionRule{"tanh", Opcode::kTanh, "DA", SetOf(kF32) | kHalves, 0,
                    SetOf(ModifierClass::kApproximate)},
    InstructionRule{"tcgen05", Opcode::kTcgen05, "", 0, 0, 0},  // tcgen05_parser.cc
    InstructionRule{"tensormap", Opcode::kTensormap, "MjA", SetOf(kNone, kB32, kB64), 0, 0},
    InstructionRule{"testp", Opcode::kTestp, "QA", kFloats, 0, SetOf(ModifierClass::kNumberClass)},
    InstructionRule{"tex", Opcode::kTex, "VXO", kWordTypes | SetOf(kF32), SetOf(kS32, kF32),
                    SetOf(ModifierClass::kGeometry, ModifierClass::kVector, ModifierClass::kLevel)},
    InstructionRule{"trap", Opcode::kTrap, "", 0, 0, 0},
    InstructionRule{"txq", Opcode::kTxq, "Nn", SetOf(kB32), 0, SetOf(ModifierClass::kLevel)},
    InstructionRule{"vabsdiff4", Opcode::kVabsdiff4, "NUUU", kWordTypes, kWordTypes,
                    SetOf(ModifierClass::kAccumulate, ModifierClass::kSaturate), true},
    InstructionRule{"vote", Opcode::kVote, "QBY", SetOf(kPred, kB32), 0, kLanes},
    // Its words and operands are read by wgmma_parser.cc.
    InstructionRule{"wgmma", Opcode::kWgmma, "", 0, 0, 0},
    InstructionRule{"xor", Opcode::kXor, "DAA", kBits | kPredicate, 0, 0},
};

constexpr bool RulesInOrder() {
  for (size_t i = 1; i < kRules.size(); ++i) {
    if (kRules[i - 1].name >= kRules[i].name) return false;
  }
  return true;
}
static_assert(RulesInOrder(), "FindInstructionRule searches by halves");

}  // namespace

std::span<const InstructionRule> InstructionRules() { return kRules; }

const InstructionRule* FindInstructionRule(std::string_view name) {
  const auto* const at = std::lower_bound(
      kRules.begin(), kRules.end(), name,
      [](const InstructionRule& rule, std::string_view wanted) { return rule.name < wanted; });
  return at != kRules.end() && at->name == name ? at : nullptr;
}

void FindCarries(Instruction* instruction) {
  Modifiers& m = instruction->modifiers;
  switch (instruction->opcode) {
    case Opcode::kAddCarry:
    case Opcode::kSubCarry:
    case Opcode::kMadCarry:
      m.carry_in = true;
      return;
    case Opcode::kAdd:
      if (m.carry_out && !IsFloat(instruction->type)) instruction->opcode = Opcode::kAddCarry;
      return;
    case Opcode::kSub:
      if (m.carry_out && !IsFloat(instruction->type)) instruction->opcode = Opcode::kSubCarry;
      return;
    case Opcode::kMad:
      if (m.carry_out && !IsFloat(instruction->type)) instruction->opcode = Opcode::kMadCarry;
      return;
    default:
      return;
  }
}

}  // namespace flagstone::ptx
