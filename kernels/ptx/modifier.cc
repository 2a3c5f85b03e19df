// The dotted words of instructions. Those that only one instruction has, or that mean something
// else in it, are here; all others are in modifier_words.cc.
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "kernels/ptx/bulk_words.h"
#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/modifier_words.h"

namespace flagstone::ptx {
namespace {

// After "txq" or "suq": what is asked for.
bool QueryWord(bool surface, std::string_view name, Modifiers* modifiers) {
  using enum TextureQuery;
  struct Word {
    std::string_view name;
    TextureQuery query;
    bool of_texture, of_surface;
  };
  constexpr Word kWords[] = {
      {"width", kWidth, true, true},
      {"height", kHeight, true, true},
      {"depth", kDepth, true, true},
      {"array_size", kArraySize, true, true},
      {"channel_data_type", kChannelDataType, true, true},
      {"channel_order", kChannelOrder, true, true},
      {"normalized_coords", kNormalizedCoords, true, false},
      {"num_mipmap_levels", kNumMipmapLevels, true, false},
      {"num_samples", kNumSamples, true, false},
      {"memory_layout", kMemoryLayout, false, true},
      {"filter_mode", kFilterMode, true, false},
      {"addr_mode_0", kAddrMode0, true, false},
      {"addr_mode_1", kAddrMode1, true, false},
      {"addr_mode_2", kAddrMode2, true, false},
      {"force_unnormalized_coords", kForceUnnormalizedCoords, true, false},
  };
  for (const Word& word : kWords) {
    if (word.name != name || !(surface ? word.of_surface : word.of_texture)) continue;
    return std::exchange(modifiers->query, word.query) == kNone;
  }
  return false;
}

// After "createpolicy": what a policy is made of, then its priorities; "L2" where it is converted.
bool PolicyWord(std::string_view name, Modifiers* modifiers) {
  if (modifiers->policy_kind == PolicyKind::kNone) {
    modifiers->policy_kind = name == "fractional" ? PolicyKind::kFractional
                             : name == "range"    ? PolicyKind::kRange
                             : name == "cvt"      ? PolicyKind::kConverted
                                                  : PolicyKind::kNone;
    return modifiers->policy_kind != PolicyKind::kNone;
  }
  if (modifiers->policy_kind == PolicyKind::kConverted) {
    return name == "L2" &&
           std::exchange(modifiers->primary, Eviction::kUnchanged) == Eviction::kNone;
  }
  const Eviction priority = name == "L2::evict_unchanged" ? Eviction::kUnchanged
                            : name == "L2::evict_first"   ? Eviction::kFirst
                            : name == "L2::evict_last"    ? Eviction::kLast
                            : name == "L2::evict_normal"  ? Eviction::kNormal
                                                          : Eviction::kNone;
  const bool first = modifiers->primary == Eviction::kNone;
  if (priority == Eviction::kNone || modifiers->secondary != Eviction::kNone) return false;
  (first ? modifiers->primary : modifiers->secondary) = priority;
  return true;
}

// After "mma": sparse matrices, kinds of narrow floats, scales of blocks.
bool MatrixWord(std::string_view name, Modifiers* m) {
  if (name == "sp" || name == "sp::ordered_metadata") {
    m->ordered_metadata = name != "sp";
    return !std::exchange(m->sparse, true);
  }
  if (name == "block_scale") return !std::exchange(m->block_scale, true);
  constexpr std::string_view kVectors = "scale_vec::";
  if (name.starts_with(kVectors)) {
    const std::string_view count = name.substr(kVectors.size());
    const uint8_t vectors = count == "1X" ? 1 : count == "2X" ? 2 : count == "4X" ? 4 : 0;
    return vectors != 0 && std::exchange(m->scale_vectors, vectors) == 0;
  }
  if (name == "ue8m0" || name == "ue4m3") {
    const auto type = name == "ue8m0" ? ScaleType::kUe8m0 : ScaleType::kUe4m3;
    return std::exchange(m->scale_type, type) == ScaleType::kNone;
  }
  constexpr std::string_view kKinds[] = {"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4",
                                         "kind::mxf4nvf4"};
  const auto* const kind = std::find(std::begin(kKinds), std::end(kKinds), name);
  if (kind == std::end(kKinds)) return false;
  const auto which = static_cast<MatrixKind>(1 + (kind - std::begin(kKinds)));
  return std::exchange(m->kind, which) == MatrixKind::kNone;
}

}  // namespace

bool ApplyModifier(const InstructionRule& rule, std::string_view name, Modifiers* modifiers,
                   Space* space, uint64_t* seen) {
  using enum ModifierClass;
  if (rule.opcode == Opcode::kBar) {
    // bar.warp.sync and barrier.cta.sync are written as two words.
    constexpr uint64_t kWarp = uint64_t{1} << 63;
    if ((name == "warp" || name == "cta") && *seen == 0) {
      *seen = name == "warp" ? kWarp : Bit(kIgnored);
      return true;
    }
    constexpr uint64_t kCluster = uint64_t{1} << 62;
    if (name == "cluster" && rule.name == "barrier" && *seen == 0) {
      *seen = kCluster;
      return true;
    }
    if ((*seen & kCluster) != 0) {
      const bool arrives = name == "arrive";
      if ((arrives || name == "wait") && modifiers->barrier_op == BarrierOp::kNone) {
        modifiers->barrier_op = arrives ? BarrierOp::kClusterArrive : BarrierOp::kClusterWait;
        return true;
      }
      return modifiers->barrier_op != BarrierOp::kNone &&
             (name == "aligned" || name == "release" || name == "acquire" || name == "relaxed");
    }
    if ((*seen & kWarp) != 0) {
      modifiers->barrier_op = BarrierOp::kWarpSync;
      return name == "sync" && std::exchange(*seen, kWarp | Bit(kBarrier)) == kWarp;
    }
    if (name == "sync" || name == "arrive" || name == "red") {
      modifiers->unaligned = rule.name == "barrier";
    }
    if (name == "aligned") modifiers->unaligned = false;
  }
  // Words that say no more than the instruction's name does, or that only it has.
  const auto is = [name](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  switch (rule.opcode) {
    case Opcode::kGriddepcontrol:
      return is({"launch_dependents", "wait"}) && std::exchange(*seen, 1) == 0;
    case Opcode::kSetmaxnreg:
      if (is({"inc", "dec"})) return true;
      break;
    case Opcode::kPrefetch:
      if (name == "tensormap") return true;  // only time would tell
      break;
    case Opcode::kMma:
      if (is({"row", "col"})) {
        const bool first = modifiers->a_layout == MatrixLayout::kNone;
        MatrixLayout& layout = first ? modifiers->a_layout : modifiers->b_layout;
        const auto value = name == "row" ? MatrixLayout::kRow : MatrixLayout::kColumn;
        return std::exchange(layout, value) == MatrixLayout::kNone;
      }
      if (name == "popc") return modifiers->boolean_op != BooleanOp::kNone;  // of b1
      if (MatrixWord(name, modifiers)) return true;
      break;
    case Opcode::kAtom:
    case Opcode::kRed:
      if (name == "noftz") return true;  // subnormals of halves stay, always
      [[fallthrough]];
    case Opcode::kLd:
    case Opcode::kSt:
      if (name == "v8" && modifiers->vector == 1) {
        modifiers->vector = 8;
        *seen |= Bit(kVector);
        return true;
      }
      break;
    case Opcode::kSuld:
    case Opcode::kSust:
      if (name == "b") return true;  // bytes; formatted accesses are others
      break;
    case Opcode::kFence:
      if (name == "proxy" && *seen == 0) {
        modifiers->async_op = AsyncOp::kCopy;
        *seen = Bit(kOrder) | Bit(kScope);
        return true;
      }
      if (modifiers->async_op != AsyncOp::kNone) return ProxyWord(name, modifiers);
      if (is({"mbarrier_init", "sync_restrict::shared::cta", "sync_restrict::shared::cluster"})) {
        return true;
      }
      break;
    case Opcode::kTensormap:
      return TensormapWord(name, modifiers, space, seen);
    case Opcode::kTxq:
      if (QueryWord(rule.name == "suq", name, modifiers)) return true;
      break;
    case Opcode::kCreatepolicy:
      if (PolicyWord(name, modifiers)) return true;
      break;
    case Opcode::kMbarrier:
      if (name == "arrive_drop") modifiers->drop = true;
      if (modifiers->mbarrier_op == MbarrierOp::kArrive) {
        if (name == "expect_tx") return !std::exchange(modifiers->transaction, true);
        if (name == "noComplete") return true;  // a promise
      }
      break;
    case Opcode::kCpAsync:
      if (name == "reduce" && *seen == 0) return !std::exchange(modifiers->reduce, true);
      if (modifiers->async_op == AsyncOp::kBulkCopy ||
          modifiers->async_op == AsyncOp::kTensorCopy) {
        if (BulkWord(name, modifiers, space, seen)) return true;
        break;
      }
      if (modifiers->async_op == AsyncOp::kBulkWait && name == "read") return true;
      if (modifiers->async_op == AsyncOp::kMbarrierArrive) {
        if (name == "noinc") modifiers->no_increment = true;
        if (is({"shared", "shared::cta"})) *space = Space::kShared;
        return is({"arrive", "noinc", "shared", "shared::cta", "b64"});
      }
      if (modifiers->async_op == AsyncOp::kCopy && is({"bulk", "mbarrier"})) {
        modifiers->async_op = name == "bulk" ? AsyncOp::kBulkCopy : AsyncOp::kMbarrierArrive;
        return true;
      }
      if (is({"shared", "shared::cta"})) return true;  // the destination, always
      if (modifiers->async_op == AsyncOp::kCopy && is({"commit_group", "wait_group", "wait_all"})) {
        modifiers->async_op = name == "commit_group" ? AsyncOp::kCommitGroup
                              : name == "wait_group" ? AsyncOp::kWaitGroup
                                                     : AsyncOp::kWaitAll;
        return true;
      }
      break;
    case Opcode::kMin:
    case Opcode::kMax:
      if (name == "abs" && modifiers->xor_sign) return true;
      break;
    default:
      break;
  }
  if (name == "shared::cluster" && (rule.modifiers & Bit(kSpace)) != 0) {
    modifiers->remote = true;
    name = "shared";
  }
  return ApplyWord(rule, name, modifiers, space, seen);
}

}  // namespace flagstone::ptx
