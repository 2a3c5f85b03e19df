#include "kernels/ptx/bulk_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

// Of a tensor copy: how many dimensions, and which elements.
bool TensorWord(std::string_view name, Modifiers* modifiers) {
  const bool shape = name.size() == 2 && name[1] == 'd' && name[0] >= '1' && name[0] <= '5';
  if (shape) return std::exchange(modifiers->dimensions, name[0] - '0') == 0;
  struct Mode {
    std::string_view name;
    TensorMode mode;
  };
  constexpr std::array<Mode, 7> kModes = {{{"tile", TensorMode::kTile},
                                           {"im2col", TensorMode::kIm2col},
                                           {"im2col_no_offs", TensorMode::kIm2colNoOffsets},
                                           {"tile::gather4", TensorMode::kGather4},
                                           {"tile::scatter4", TensorMode::kScatter4},
                                           {"im2col::w", TensorMode::kIm2colW},
                                           {"im2col::w::128", TensorMode::kIm2colW128}}};
  for (const Mode& mode : kModes) {
    if (mode.name != name) continue;
    return std::exchange(modifiers->tensor_mode, mode.mode) == TensorMode::kTile;
  }
  return name == "cta_group::1";
}

}  // namespace

bool BulkWord(std::string_view name, Modifiers* modifiers, Space* space, uint64_t* seen) {
  using enum ModifierClass;
  const bool is_first = (*seen & Bit(kTo)) == 0 && !modifiers->transaction;
  if (name == "commit_group" || name == "wait_group") {
    modifiers->async_op = name == "commit_group" ? AsyncOp::kBulkCommit : AsyncOp::kBulkWait;
    return true;
  }
  if (name == "mbarrier::complete_tx::bytes") return !std::exchange(modifiers->transaction, true);
  if (name == "bulk_group") return true;
  if (name == "noftz") return modifiers->reduce && !std::exchange(modifiers->keep_subnormals, true);
  if (name == "multicast::cluster") return !std::exchange(modifiers->multicast, true);
  const bool tensor = modifiers->async_op == AsyncOp::kTensorCopy;
  if (name == "prefetch" && is_first && !tensor && !modifiers->reduce) {
    return !std::exchange(modifiers->prefetch, true);
  }
  if (tensor && TensorWord(name, modifiers)) return true;
  if (name == "tensor" && is_first && !tensor) {
    modifiers->async_op = AsyncOp::kTensorCopy;
    return true;
  }
  const bool global = name == "global";
  if (modifiers->prefetch) {  // it has no place to go to
    if (!global || !is_first) return false;
    *seen |= Bit(kTo) | Bit(kSpace);
    *space = Space::kGlobal;
    return true;
  }
  if (!global && name != "shared::cta" && name != "shared::cluster") return false;
  if ((*seen & Bit(kTo)) == 0) {
    *seen |= Bit(kTo);
    modifiers->to = global;
    modifiers->remote = name == "shared::cluster";
    return true;
  }
  if ((*seen & Bit(kSpace)) != 0) return false;
  *seen |= Bit(kSpace);
  *space = global ? Space::kGlobal : Space::kShared;
  return true;
}

bool TensormapWord(std::string_view name, Modifiers* modifiers, Space* space, uint64_t* seen) {
  using enum ModifierClass;
  if (*seen == 0) {
    *seen = Bit(kIgnored);
    if (name == "replace") return true;
    if (name != "cp_fenceproxy") return false;
    modifiers->async_op = AsyncOp::kBulkCopy;
    modifiers->to = true;
    return true;
  }
  if (modifiers->async_op == AsyncOp::kBulkCopy) {
    if (name == "release") modifiers->order = MemoryOrder::kRelease;
    if (name == "shared::cta") *space = Space::kShared;
    if (name == "sync") modifiers->lane_sync = true;
    return IsOneOf(name, {"global", "shared::cta", "tensormap::generic", "release", "cta",
                          "cluster", "gpu", "sys", "sync", "aligned"});
  }
  if (name == "tile" || name == "b1024") return true;
  if (name == "global" || name == "shared::cta") {
    *space = name == "global" ? Space::kGlobal : Space::kShared;
    return true;
  }
  constexpr std::array<std::string_view, 11> kFields = {
      "global_address", "rank",     "box_dim",           "global_dim",   "global_stride",
      "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity",
      "fill_mode"};
  const auto* const field = std::find(kFields.begin(), kFields.end(), name);
  if (field == kFields.end()) return false;
  const auto which = static_cast<TensorField>(1 + (field - kFields.begin()));
  return std::exchange(modifiers->tensor_field, which) == TensorField::kNone;
}

// Copies are made at once, so all proxies see the same.
bool ProxyWord(std::string_view name, Modifiers* modifiers) {
  const bool async = name == "async" || name == "async::generic";
  if (async) modifiers->async_proxy = true;
  if (name == "acquire") modifiers->of_map = !modifiers->async_proxy;
  return async ||
         IsOneOf(name, {"alias", "global", "shared::cta", "shared::cluster", "tensormap::generic",
                        "acquire", "release", "cta", "cluster", "gpu", "sys",
                        "sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
}

}  // namespace flagstone::ptx
