#include "kernels/ptx/tensor_memory_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace flagstone::ptx {
namespace {

// What a word says; each is said once.
constexpr uint32_t kSaysSync = 1U << 0;
constexpr uint32_t kSaysAligned = 1U << 1;
constexpr uint32_t kSaysGroup = 1U << 2;
constexpr uint32_t kSaysB32 = 1U << 3;
constexpr uint32_t kSaysB64 = 1U << 4;
constexpr uint32_t kSaysDown = 1U << 5;
constexpr uint32_t kSaysArrive = 1U << 6;
constexpr uint32_t kSaysShared = 1U << 7;
constexpr uint32_t kSaysMulticast = 1U << 8;
constexpr uint32_t kSaysShape = 1U << 9;
constexpr uint32_t kSaysCount = 1U << 10;
constexpr uint32_t kSaysKind = 1U << 11;
constexpr uint32_t kSaysPack = 1U << 12;
constexpr uint32_t kSaysBytes = 1U << 13;
constexpr uint32_t kSaysPackedBits = 1U << 14;
constexpr uint32_t kSaysReduce = 1U << 15;
constexpr uint32_t kSaysReduction = 1U << 16;
constexpr uint32_t kSaysType = 1U << 17;
constexpr uint32_t kSaysAbs = 1U << 18;
constexpr uint32_t kSaysNan = 1U << 19;
constexpr uint32_t kSaysCollector = 1U << 20;
constexpr uint32_t kSaysWarps = 1U << 21;

struct OpRule {
  std::string_view name;
  TensorMemoryOp op;
  uint32_t needs, takes;
};
constexpr uint32_t kSaysTogether = kSaysSync | kSaysAligned;
constexpr std::array kMemoryOps = {
    OpRule{"alloc", TensorMemoryOp::kAlloc, kSaysGroup | kSaysTogether | kSaysB32, kSaysShared},
    OpRule{"dealloc", TensorMemoryOp::kDealloc, kSaysGroup | kSaysTogether | kSaysB32, 0},
    OpRule{"relinquish_alloc_permit", TensorMemoryOp::kRelinquish, kSaysGroup | kSaysTogether, 0},
    OpRule{"ld", TensorMemoryOp::kLoad, kSaysTogether | kSaysShape | kSaysCount,
           kSaysB32 | kSaysPack | kSaysReduce | kSaysReduction | kSaysType | kSaysAbs | kSaysNan},
    OpRule{"st", TensorMemoryOp::kStore, kSaysTogether | kSaysShape | kSaysCount | kSaysB32,
           kSaysPack},
    OpRule{"wait::ld", TensorMemoryOp::kWaitLoad, kSaysTogether, 0},
    OpRule{"wait::st", TensorMemoryOp::kWaitStore, kSaysTogether, 0},
    OpRule{"cp", TensorMemoryOp::kCopy, kSaysGroup | kSaysShape,
           kSaysBytes | kSaysPackedBits | kSaysWarps},
    OpRule{"shift", TensorMemoryOp::kShift, kSaysGroup | kSaysDown, 0},
    OpRule{"mma", TensorMemoryOp::kMma, kSaysGroup | kSaysKind, kSaysCollector},
    OpRule{"commit", TensorMemoryOp::kCommit, kSaysGroup | kSaysArrive | kSaysB64,
           kSaysShared | kSaysMulticast},
    OpRule{"fence::before_thread_sync", TensorMemoryOp::kFenceBefore, 0, 0},
    OpRule{"fence::after_thread_sync", TensorMemoryOp::kFenceAfter, 0, 0},
};

struct MemoryShapeWord {
  std::string_view name;
  TensorMemoryShape shape;
  bool moves;  // a load's or store's, else a copy's
};
constexpr std::array kMemoryShapes = {
    MemoryShapeWord{"32x32b", TensorMemoryShape::k32x32, true},
    MemoryShapeWord{"16x64b", TensorMemoryShape::k16x64, true},
    MemoryShapeWord{"16x128b", TensorMemoryShape::k16x128, true},
    MemoryShapeWord{"16x256b", TensorMemoryShape::k16x256, true},
    MemoryShapeWord{"16x32bx2", TensorMemoryShape::k16x32x2, true},
    MemoryShapeWord{"128x256b", TensorMemoryShape::k128x256, false},
    MemoryShapeWord{"4x256b", TensorMemoryShape::k4x256, false},
    MemoryShapeWord{"128x128b", TensorMemoryShape::k128x128, false},
    MemoryShapeWord{"64x128b", TensorMemoryShape::k64x128By02, false},
    MemoryShapeWord{"32x128b", TensorMemoryShape::k32x128, false},
};

// What is good PTX and not executed.
std::string_view FeatureOf(std::string_view word) {
  if (word == "cta_group::2") return "pairs of thread blocks";
  if (word == "sp") return "sparse products in tensor memory";
  if (word == "ws") return "products in tensor memory that keep B";
  if (word == "ashift") return "products of rows that are shifted";
  const bool scales = word.starts_with("kind::mx") || word == "block_scale" ||
                      word.starts_with("scale_vec::") || word == "block16" || word == "block32";
  return scales ? "scales of blocks in tensor memory" : "";
}

// The bit of a word that says no more than that it stands there; 0: another word.
uint32_t PlainWord(std::string_view word) {
  struct Plain {
    std::string_view word;
    uint32_t said;
  };
  constexpr std::array kPlain = {
      Plain{"sync", kSaysSync},
      Plain{"aligned", kSaysAligned},
      Plain{"b32", kSaysB32},
      Plain{"cta_group::1", kSaysGroup},
      Plain{"b64", kSaysB64},
      Plain{"down", kSaysDown},
      Plain{"b8x16", kSaysBytes},
      Plain{"mbarrier::arrive::one", kSaysArrive},
      Plain{"red", kSaysReduce},
      Plain{"multicast::cluster", kSaysMulticast},
      Plain{"abs", kSaysAbs},
      Plain{"NaN", kSaysNan},
      Plain{"warpx4", kSaysWarps},
      Plain{"warpx2::02_13", kSaysWarps},
      Plain{"warpx2::01_23", kSaysWarps},
      Plain{"shared::cta", kSaysShared},
      Plain{"shared::cluster", kSaysShared},
  };
  const auto* const at = std::find_if(kPlain.begin(), kPlain.end(),
                                      [&](const Plain& plain) { return plain.word == word; });
  if (at != kPlain.end()) return at->said;
  const bool collects = word == "collector::a::fill" || word == "collector::a::use" ||
                        word == "collector::a::lastuse" || word == "collector::a::discard";
  return collects ? kSaysCollector : 0;
}

uint32_t CountWord(std::string_view word, TensorMemoryForm* form) {
  if (!word.starts_with('x')) return 0;
  const char* const end = word.data() + word.size();
  uint32_t count = 0;
  const auto read = std::from_chars(word.data() + 1, end, count);
  const bool good = read.ec == std::errc() && read.ptr == end && std::has_single_bit(count) &&
                    count <= TensorMemoryForm::kMostRegisters;
  if (good) form->count = static_cast<uint8_t>(count);
  return good ? kSaysCount : 0;
}

uint32_t KindWord(std::string_view word, TensorMemoryForm* form) {
  constexpr std::array<std::string_view, 4> kKinds = {"kind::f16", "kind::tf32", "kind::f8f6f4",
                                                      "kind::i8"};
  const auto* const kind = std::find(kKinds.begin(), kKinds.end(), word);
  if (kind == kKinds.end()) return 0;
  form->kind = static_cast<TensorMemoryKind>(1 + (kind - kKinds.begin()));
  return kSaysKind;
}

// What the word says, noted in the form; 0: nothing that the operation knows.
uint32_t Note(std::string_view word, TensorMemoryForm* form) {
  if (const uint32_t plain = PlainWord(word); plain != 0) {
    if (plain == kSaysShared) form->shared = true;
    if (plain == kSaysMulticast) form->multicast = true;
    if (plain == kSaysAbs) form->absolute = true;
    if (plain == kSaysNan) form->nan = true;
    return plain;
  }
  for (const MemoryShapeWord& shape : kMemoryShapes) {
    if (shape.name != word || shape.moves != form->Moves()) continue;
    form->shape = shape.shape;
    return kSaysShape;
  }
  if (form->Moves()) {
    if (word == (form->op == TensorMemoryOp::kLoad ? "pack::16b" : "unpack::16b")) {
      form->packed = true;
      return kSaysPack;
    }
    if (const uint32_t count = CountWord(word, form); count != 0) return count;
  }
  if (word == "b4x16_p64" || word == "b6x16_p32") {
    form->packed_bits = word == "b4x16_p64" ? 4 : 6;
    return kSaysPackedBits;
  }
  if (word == "min" || word == "max") {
    form->reduction = word == "min" ? AtomicOp::kMin : AtomicOp::kMax;
    return kSaysReduction;
  }
  if (word == "f32" || word == "u32" || word == "s32") {
    form->type = word == "f32" ? Type::kF32 : word == "u32" ? Type::kU32 : Type::kS32;
    return kSaysType;
  }
  return KindWord(word, form);
}

// What goes with what, "expected ..." without that word.
std::string_view Missing(const TensorMemoryForm& form, uint32_t said) {
  const auto has = [said](uint32_t what) { return (said & what) != 0; };
  if (form.Moves() && form.Registers() > TensorMemoryForm::kMostRegisters) {
    return "at most 128 registers";
  }
  if (form.op == TensorMemoryOp::kLoad) {
    if (!has(kSaysReduce)) {
      if (has(kSaysReduction | kSaysType | kSaysAbs | kSaysNan)) return "'.red' with an operation";
      return has(kSaysB32) ? "" : "'.b32'";
    }
    const bool shape = form.shape == TensorMemoryShape::k32x32 || form.InHalves();
    if (!shape || form.count < 2) return "'.32x32b' or '.16x32bx2' from '.x2' on with '.red'";
    if (!has(kSaysReduction) || !has(kSaysType) || has(kSaysB32 | kSaysPack))
      return "'.min' or '.max' and a type";
    return has(kSaysAbs | kSaysNan) && form.type != Type::kF32 ? "'.f32' with '.abs' and '.NaN'"
                                                               : "";
  }
  if (form.op == TensorMemoryOp::kCopy) {
    const bool shares = form.shape >= TensorMemoryShape::k64x128By02;
    if (shares != has(kSaysWarps))
      return "'.warpx2' with '.64x128b', '.warpx4' with '.32x128b' alone";
    if (has(kSaysBytes) != has(kSaysPackedBits))
      return "'.b8x16' with '.b4x16_p64' or '.b6x16_p32'";
  }
  return "";
}

}  // namespace

uint32_t TensorMemoryForm::Registers() const {
  switch (shape) {
    case TensorMemoryShape::k16x128:
      return 2U * count;
    case TensorMemoryShape::k16x256:
      return 4U * count;
    default:
      return count;
  }
}

std::string ReadTensorMemoryForm(const std::vector<std::string_view>& words, TensorMemoryForm* form,
                                 std::string_view* feature) {
  const auto* const rule =
      std::find_if(kMemoryOps.begin(), kMemoryOps.end(),
                   [&](const OpRule& known) { return !words.empty() && known.name == words[0]; });
  if (rule == kMemoryOps.end()) return "expected an operation such as '.ld' behind 'tcgen05'";
  form->op = rule->op;
  uint32_t said = 0;
  std::string_view warps;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (const std::string_view asked = FeatureOf(word); !asked.empty()) {
      if (feature->empty()) *feature = asked;
      continue;
    }
    if (word.starts_with("warpx")) warps = word;
    const bool repeated = word.starts_with("collector::b");  // of what FeatureOf knows
    const uint32_t now = Note(word, form);
    const bool taken = now != 0 && ((rule->needs | rule->takes) & now) != 0 && (said & now) == 0;
    if (!taken && feature->empty() && !repeated) {
      return fmt::format("'tcgen05.{}' does not take '.{}' here", rule->name, word);
    }
    said |= now;
  }
  if (!feature->empty()) return "";
  if ((said & rule->needs) != rule->needs) {
    return fmt::format("expected {} on 'tcgen05.{}'",
                       (rule->needs & ~said & kSaysGroup) != 0      ? "'.cta_group::1'"
                       : (rule->needs & ~said & kSaysShape) != 0    ? "a shape such as '.32x32b'"
                       : (rule->needs & ~said & kSaysCount) != 0    ? "a count such as '.x1'"
                       : (rule->needs & ~said & kSaysKind) != 0     ? "a kind such as '.kind::f16'"
                       : (rule->needs & ~said & kSaysDown) != 0     ? "'.down'"
                       : (rule->needs & ~said & kSaysArrive) != 0   ? "'.mbarrier::arrive::one'"
                       : (rule->needs & ~said & kSaysTogether) != 0 ? "'.sync.aligned'"
                                                                    : "a type",
                       rule->name);
  }
  std::string_view missing = Missing(*form, said);
  const bool fits = form->op != TensorMemoryOp::kCopy || warps.empty() ||
                    form->shape == (warps == "warpx4" ? TensorMemoryShape::k32x128
                                                      : TensorMemoryShape::k64x128By02);
  if (fits && warps == "warpx2::01_23") form->shape = TensorMemoryShape::k64x128By01;
  if (!fits) missing = "'.warpx2' with '.64x128b', '.warpx4' with '.32x128b' alone";
  return missing.empty() ? "" : fmt::format("expected {} on 'tcgen05.{}'", missing, rule->name);
}

std::string NameOf(const TensorMemoryForm& form) {
  std::string name = "tcgen05";
  for (const OpRule& rule : kMemoryOps) {
    if (rule.op == form.op) name += fmt::format(".{}", rule.name);
  }
  for (const MemoryShapeWord& shape : kMemoryShapes) {
    if (shape.shape == form.shape) name += fmt::format(".{}", shape.name);
  }
  if (form.shape == TensorMemoryShape::k64x128By01) name += ".64x128b.01";
  constexpr const char* kKinds[] = {"", ".f16", ".tf32", ".f8f6f4", ".i8"};
  name += kKinds[static_cast<size_t>(form.kind)];
  if (form.count != 0) name += fmt::format(".x{}", form.count);
  if (form.packed) name += ".16b";
  if (form.packed_bits != 0) name += fmt::format(".b{}", form.packed_bits);
  if (form.multicast) name += ".multicast";
  if (form.reduction != AtomicOp::kNone) {
    name += form.reduction == AtomicOp::kMin ? ".min." : ".max.";
    name += ToString(form.type);
    if (form.absolute) name += ".abs";
    if (form.nan) name += ".NaN";
  }
  return name;
}

}  // namespace flagstone::ptx
