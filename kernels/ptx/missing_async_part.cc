#include "kernels/ptx/missing_async_part.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

using enum Type;

// What each operation takes: to shared memory less than to global memory.
std::string_view MissingInReduction(Type type, const Modifiers& m) {
  const bool sum = m.atomic_op == AtomicOp::kAdd;
  const bool half = type == kF16 || type == kBf16;
  if (m.keep_subnormals != (sum && half)) return "'.noftz' with '.add' of f16 or bf16 alone";
  if (!m.to && m.cache_policy) return "no '.L2::cache_hint' to shared memory";
  const uint64_t bit = Bit(type);
  switch (m.atomic_op) {
    case AtomicOp::kAdd:
      if (bit & SetOf(kU32, kS32, kU64)) return "";
      if (m.to) {
        return bit & (SetOf(kF16, kBf16) | SetOf(kF32, kF64)) ? "" : "u32, s32, u64 or a float";
      }
      return "u32, s32 or u64 to add in shared memory";
    case AtomicOp::kMin:
    case AtomicOp::kMax:
      if (bit & SetOf(kU32, kS32)) return "";
      if (m.to) return bit & SetOf(kU64, kS64, kF16, kBf16) ? "" : "an integer, f16 or bf16";
      return "u32 or s32 to compare in shared memory";
    case AtomicOp::kInc:
    case AtomicOp::kDec:
      return type == kU32 ? "" : "u32 to count";
    case AtomicOp::kAnd:
    case AtomicOp::kOr:
    case AtomicOp::kXor:
      if (m.to) return bit & SetOf(kB32, kB64) ? "" : "b32 or b64";
      return type == kB32 ? "" : "b32 in shared memory";
    default:
      return "an operation such as '.add'";
  }
}

// The tensor map has the type.
std::string_view MissingInTensorReduction(const Modifiers& m) {
  switch (m.atomic_op) {
    case AtomicOp::kAdd:
    case AtomicOp::kMin:
    case AtomicOp::kMax:
    case AtomicOp::kInc:
    case AtomicOp::kDec:
    case AtomicOp::kAnd:
    case AtomicOp::kOr:
    case AtomicOp::kXor:
      return m.keep_subnormals ? "no '.noftz' on tensors" : "";
    default:
      return "an operation such as '.add'";
  }
}

std::string_view MissingInTensor(const Modifiers& m) {
  if (m.dimensions == 0) return "a number of dimensions such as '.2d'";
  switch (m.tensor_mode) {
    case TensorMode::kTile:
      return "";
    case TensorMode::kIm2col:
      if (m.to) return "'.im2col_no_offs' to global memory";
      return m.dimensions >= 3 ? "" : "three dimensions or more with '.im2col'";
    case TensorMode::kIm2colNoOffsets:
      if (!m.to) return "'.im2col' from global memory";
      return m.dimensions >= 3 ? "" : "three dimensions or more with '.im2col_no_offs'";
    case TensorMode::kIm2colW:
    case TensorMode::kIm2colW128:
      if (m.to) return "'.im2col_no_offs' to global memory";
      return m.dimensions >= 3 ? "" : "three dimensions or more with '.im2col::w'";
    case TensorMode::kGather4:
      return m.dimensions == 2 && !m.to ? "" : "'.2d' from global memory with '.tile::gather4'";
    default:
      return m.dimensions == 2 && m.to && !m.reduce
                 ? ""
                 : "'.2d' to global memory with '.tile::scatter4'";
  }
}

}  // namespace

std::string_view MissingInAsync(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  const bool tensor = m.async_op == AsyncOp::kTensorCopy;
  if (i.type != kNone && (tensor || !m.reduce))
    return "no type without '.reduce', and none on tensors";
  if (!m.reduce && m.atomic_op != AtomicOp::kNone) return "no operation without '.reduce'";
  if (m.reduce) {
    if (m.async_op != AsyncOp::kBulkCopy && !tensor) return "'.async.bulk' with '.reduce'";
    if (i.space != Space::kShared) return "'.shared::cta' as where it comes from";
    if (const std::string_view missing =
            tensor ? MissingInTensorReduction(m) : MissingInReduction(i.type, m);
        !missing.empty()) {
      return missing;
    }
  }
  if (m.prefetch) {
    const bool good = i.space == Space::kGlobal && !m.transaction && !m.multicast;
    if (!good) return "'.L2.global'";
    return tensor ? MissingInTensor(m) : "";
  }
  if (m.async_op == AsyncOp::kBulkCopy) {
    if (m.to) return i.space == Space::kShared && !m.transaction ? "" : "'.shared::cta.bulk_group'";
    const bool from_shared = i.space == Space::kShared && m.remote && !m.multicast;
    const bool good = m.transaction && (i.space == Space::kGlobal || from_shared);
    return good ? "" : "'.shared::cluster.global.mbarrier::complete_tx::bytes'";
  }
  if (tensor) {
    if (const std::string_view missing = MissingInTensor(m); !missing.empty()) return missing;
    const bool good = m.to ? i.space == Space::kShared && !m.transaction && !m.multicast
                           : i.space == Space::kGlobal && m.transaction;
    return good ? "" : "'.shared::cluster.global.mbarrier::complete_tx::bytes', or to '.global'";
  }
  if (m.async_op == AsyncOp::kNone) return "'.async'";
  if (m.async_op != AsyncOp::kCopy) return "";
  const bool cached = m.cache_op == CacheOp::kCa || m.cache_op == CacheOp::kCg;
  return cached && i.space == Space::kGlobal ? "" : "'.ca' or '.cg', and '.shared.global'";
}

std::string_view MissingInTensormap(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.async_op == AsyncOp::kBulkCopy) {
    const bool good = m.order == MemoryOrder::kRelease && i.space == Space::kShared && m.lane_sync;
    if (!good) return "'.global.shared::cta.tensormap::generic.release', a scope, '.sync.aligned'";
    return i.type == kNone ? "" : "no type";
  }
  if (m.tensor_field == TensorField::kNone) return "a field such as '.global_address'";
  const bool wide =
      m.tensor_field == TensorField::kGlobalAddress || m.tensor_field == TensorField::kGlobalStride;
  return i.type == (wide ? kB64 : kB32) ? "" : wide ? "'.b64'" : "'.b32'";
}

std::string_view MissingInPolicy(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.policy_kind == PolicyKind::kNone) return "'.fractional', '.range' or '.cvt'";
  const bool place = i.space == Space::kGeneric ||
                     (i.space == Space::kGlobal && m.policy_kind == PolicyKind::kRange);
  if (!place) return "no state space but '.range.global'";
  if (m.policy_kind == PolicyKind::kConverted) {
    return m.primary == Eviction::kNone ? "'.cvt.L2'" : "";
  }
  if (m.primary == Eviction::kNone) return "a priority such as '.L2::evict_last'";
  const bool good = m.secondary <= Eviction::kFirst;
  return good ? "" : "'.L2::evict_first' or '.L2::evict_unchanged' as the second priority";
}

std::string_view MissingInMbarrier(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  const bool waits =
      m.mbarrier_op == MbarrierOp::kTestWait || m.mbarrier_op == MbarrierOp::kTryWait;
  if (m.mbarrier_op == MbarrierOp::kNone) return "an operation such as '.arrive'";
  if (m.parity && !waits) return "no '.parity' but with a wait";
  const bool shared = i.space == Space::kShared || i.space == Space::kGeneric;
  return shared ? "" : "'.shared' or no state space";
}

}  // namespace flagstone::ptx
