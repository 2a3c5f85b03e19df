#include "kernels/ptx/modifier_words.h"

#include <initializer_list>
#include <unordered_map>

namespace flagstone::ptx {
namespace {

struct Word {
  ModifierClass group;
  uint8_t value;  // of the group's enumeration, or the vector's length
};

using Words = std::unordered_multimap<std::string_view, Word>;

template <class Enum>
void Add(Words* words, ModifierClass group, std::initializer_list<std::string_view> names,
         Enum first) {
  auto value = static_cast<uint8_t>(first);
  for (const std::string_view name : names) words->emplace(name, Word{group, value++});
}

Words MakeWords() {
  using enum ModifierClass;
  Words words;
  Add(&words, kComparison,
      {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
       "gtu", "geu", "num", "nan"},
      Comparison::kEq);
  Add(&words, kBoolean, {"and", "or", "xor"}, BooleanOp::kAnd);
  Add(&words, kRounding, {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna", "rs"},
      Rounding::kRn);
  Add(&words, kRelu, {"relu"}, 1);
  Add(&words, kNan, {"NaN"}, 1);
  Add(&words, kXorSign, {"xorsign"}, 1);
  Add(&words, kFinite, {"satfinite"}, 1);
  Add(&words, kCarry, {"cc"}, 1);
  Add(&words, kTranspose, {"trans"}, 1);
  Add(&words, kMatrices, {"x1"}, 1);
  Add(&words, kMatrices, {"x2"}, 2);
  Add(&words, kMatrices, {"x4"}, 4);
  Add(&words, kAsync, {"async"}, AsyncOp::kCopy);
  Add(&words, kMbarrier,
      {"init", "inval", "arrive", "expect_tx", "complete_tx", "test_wait", "try_wait",
       "pending_count"},
      MbarrierOp::kInit);
  Add(&words, kMbarrier, {"arrive_drop"}, MbarrierOp::kArrive);
  Add(&words, kParity, {"parity"}, 1);
  Add(&words, kSurface, {"trap", "clamp", "zero"}, SurfaceMode::kTrap);
  Add(&words, kShape,
      {"m8n8", "m8n8k4", "m8n8k16", "m8n8k32", "m8n8k128", "m16n8k4", "m16n8k8", "m16n8k16",
       "m16n8k32", "m16n8k64", "m16n8k128", "m16n8k256"},
      MatrixShape::kM8n8);
  Add(&words, kMulPart, {"lo", "hi", "wide"}, MulPart::kLo);
  Add(&words, kAtomic,
      {"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec", "popc"},
      AtomicOp::kAdd);
  Add(&words, kBarrier, {"sync", "arrive", "red"}, BarrierOp::kSync);
  Add(&words, kLaneOp, {"up", "down", "bfly", "idx", "all", "any", "uni", "ballot"}, LaneOp::kUp);
  Add(&words, kLaneSync, {"sync"}, 1);
  Add(&words, kShiftDirection, {"l", "r"}, ShiftDirection::kLeft);
  Add(&words, kShiftMode, {"clamp", "wrap"}, ShiftMode::kClamp);
  Add(&words, kShiftAmount, {"shiftamt"}, 1);
  Add(&words, kPermute, {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}, PermuteMode::kF4e);
  Add(&words, kNumberClass, {"finite", "infinite", "number", "notanumber", "normal", "subnormal"},
      NumberClass::kFinite);
  Add(&words, kAccumulate, {"add"}, 1);
  Add(&words, kGeometry, {"1d", "2d", "3d", "a1d", "a2d", "cube"}, Geometry::k1d);
  Add(&words, kLevel, {"level"}, 1);
  Add(&words, kCachePolicy, {"L2::cache_hint"}, 1);
  Add(&words, kVector, {"v2"}, 2);
  Add(&words, kVector, {"v4"}, 4);
  Add(&words, kFlush, {"ftz"}, 1);
  Add(&words, kSaturate, {"sat"}, 1);
  Add(&words, kApproximate, {"approx"}, 1);
  Add(&words, kFull, {"full"}, 1);
  Add(&words, kUniform, {"uni"}, 1);
  Add(&words, kTo, {"to"}, 1);
  Add(&words, kVolatile, {"volatile"}, 1);
  Add(&words, kNonCoherent, {"nc"}, 1);
  Add(&words, kCache, {"ca", "cg", "cs", "lu", "cv", "wb", "wt"}, CacheOp::kCa);
  Add(&words, kOrder, {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"},
      MemoryOrder::kWeak);
  Add(&words, kScope, {"cta", "gpu", "sys"}, MemoryScope::kCta);
  Add(&words, kScope, {"gl", "cluster"}, MemoryScope::kGpu);
  for (const Space space :
       {Space::kParam, Space::kGlobal, Space::kShared, Space::kLocal, Space::kConst}) {
    Add(&words, kSpace, {ToString(space)}, space);
  }
  Add(&words, kSpace, {"shared::cta"}, Space::kShared);
  Add(&words, kSpace, {"param::entry"}, Space::kParam);
  Add(&words, kSpace, {"param::func"}, Space::kParam);
  for (const std::string_view name :
       {"aligned", "L1", "L2", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
        "L1::evict_last", "L1::no_allocate", "L2::evict_normal", "L2::evict_first",
        "L2::evict_last", "L2::64B", "L2::128B", "L2::256B"}) {
    Add(&words, kIgnored, {name}, 0);
  }
  return words;
}

void Set(const Word& word, Modifiers* m, Space* space) {
  using enum ModifierClass;
  switch (word.group) {
    case kComparison:
      m->comparison = static_cast<Comparison>(word.value);
      break;
    case kBoolean:
      m->boolean_op = static_cast<BooleanOp>(word.value);
      break;
    case kRounding:
      m->rounding = static_cast<Rounding>(word.value);
      break;
    case kMulPart:
      m->mul_part = static_cast<MulPart>(word.value);
      break;
    case kAtomic:
      m->atomic_op = static_cast<AtomicOp>(word.value);
      break;
    case kBarrier:
      m->barrier_op = static_cast<BarrierOp>(word.value);
      break;
    case kVector:
      m->vector = word.value;
      break;
    case kFlush:
      m->flush_to_zero = true;
      break;
    case kSaturate:
      m->saturate = true;
      break;
    case kApproximate:
      m->approximate = true;
      break;
    case kFull:
      m->full = true;
      break;
    case kUniform:
      m->uniform = true;
      break;
    case kTo:
      m->to = true;
      break;
    case kVolatile:
      m->volatile_access = true;
      break;
    case kNonCoherent:
      m->non_coherent = true;
      break;
    case kCache:
      m->cache_op = static_cast<CacheOp>(word.value);
      break;
    case kOrder:
      m->order = static_cast<MemoryOrder>(word.value);
      break;
    case kScope:
      m->scope = static_cast<MemoryScope>(word.value);
      break;
    case kLaneOp:
      m->lane_op = static_cast<LaneOp>(word.value);
      break;
    case kLaneSync:
      m->lane_sync = true;
      break;
    case kShiftDirection:
      m->shift_direction = static_cast<ShiftDirection>(word.value);
      break;
    case kShiftMode:
      m->shift_mode = static_cast<ShiftMode>(word.value);
      break;
    case kShiftAmount:
      m->shift_amount = true;
      break;
    case kPermute:
      m->permute_mode = static_cast<PermuteMode>(word.value);
      break;
    case kNumberClass:
      m->number_class = static_cast<NumberClass>(word.value);
      break;
    case kAccumulate:
      m->accumulate = true;
      break;
    case kGeometry:
      m->geometry = static_cast<Geometry>(word.value);
      break;
    case kLevel:
      m->level = true;
      break;
    case kCachePolicy:
      m->cache_policy = true;
      break;
    case kSpace:
      *space = static_cast<Space>(word.value);
      break;
    case kRelu:
      m->relu = true;
      break;
    case kNan:
      m->nan = true;
      break;
    case kXorSign:
      m->xor_sign = true;
      break;
    case kFinite:
      m->finite = true;
      break;
    case kCarry:
      m->carry_out = true;
      break;
    case kTranspose:
      m->transposed = true;
      break;
    case kMatrices:
      m->matrices = word.value;
      break;
    case kAsync:
      m->async_op = static_cast<AsyncOp>(word.value);
      break;
    case kMbarrier:
      m->mbarrier_op = static_cast<MbarrierOp>(word.value);
      break;
    case kParity:
      m->parity = true;
      break;
    case kSurface:
      m->surface_mode = static_cast<SurfaceMode>(word.value);
      break;
    case kShape:
      m->shape = static_cast<MatrixShape>(word.value);
      break;
    case kIgnored:
      break;
  }
}

}  // namespace

bool ApplyWord(const InstructionRule& rule, std::string_view name, Modifiers* modifiers,
               Space* space, uint64_t* seen) {
  using enum ModifierClass;
  static const Words kWords = MakeWords();
  const auto [begin, end] = kWords.equal_range(name);
  for (auto it = begin; it != end; ++it) {
    const Word& word = it->second;
    const uint64_t bit = Bit(word.group);
    if ((rule.modifiers & bit) == 0) continue;
    if ((*seen & bit) != 0 && word.group != kIgnored) return false;
    *seen |= bit;
    Set(word, modifiers, space);
    return true;
  }
  return false;
}

}  // namespace flagstone::ptx
