// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor (PTX ISA, section 9.7.9.27.1): boxes of a
// tensor that a tensor map describes, between global and shared memory, or to L2 alone. Made at
// once, as plain bulk copies are, at most 16 sectors of 32 bytes at a time.
#include <algorithm>
#include <cstring>

#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/bulk_reduce.h"
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/tensor_operands.h"

namespace flagstone {
namespace simt {
namespace {

constexpr uint32_t kTensorSectors = 16;  // an issue: as many as a record that waits has room for
constexpr uint64_t kTensorUnit = 16;     // what swizzling moves
constexpr uint64_t kSwizzledLine = 128;  // within which it does

// Calls visit(place, offset, bytes) for the pieces of `bytes` from shared address `at` on.
template <class Visit>
void ForEachPiece(uint64_t at, uint64_t bytes, TensorSwizzle swizzle, Visit visit) {
  for (uint64_t offset = 0; offset < bytes;) {
    const uint64_t address = at + offset;
    const uint64_t piece = std::min(bytes - offset, kTensorUnit - address % kTensorUnit);
    visit(Swizzled(address, swizzle), offset, piece);
    offset += piece;
  }
}

void Scatter(std::byte* memory, uint64_t at, uint64_t bytes, TensorSwizzle swizzle,
             const std::byte* from) {
  ForEachPiece(at, bytes, swizzle, [&](uint64_t place, uint64_t offset, uint64_t piece) {
    std::memcpy(memory + place, from + offset, piece);
  });
}

// What waits for a commit has behind its parts the number of bytes of each, how it is swizzled and,
// in shared memory, where it goes; of a reduction the elements' type in place of the swizzle.
void WaitPart(BulkWaiting& waiting, std::byte* memory, uint64_t at, const std::byte* from,
              uint64_t bytes, TensorSwizzle swizzle) {
  const auto [pending, part] = waiting.Add(memory, from, bytes);
  pending.values[2][part] = bytes | static_cast<uint64_t>(swizzle) << 32;
  pending.values[3][part] = at;
}
void WaitStore(BulkWaiting& waiting, std::byte* memory, const std::byte* from, uint64_t bytes,
               TensorType type) {
  const auto [pending, part] = waiting.Add(memory, from, bytes);
  pending.values[2][part] = bytes | static_cast<uint64_t>(type) << 32;
}

void Store(const Inst& inst, std::byte* memory, const std::byte* from, uint64_t bytes,
           TensorType type) {
  if (!inst.modifiers.reduce) {
    std::memcpy(memory, from, bytes);
    return;
  }
  TensorReducer(inst.modifiers.atomic_op, type)(memory, from, bytes);
}

// What lies outside of the tensor is 0, or the NaN of its size.
void FillOutside(std::byte* memory, const TensorMap& map, uint64_t bytes) {
  std::memset(memory, 0, bytes);
  if (!map.nan) return;
  const uint64_t width = map.ElementBytes();
  const uint64_t nan = width == 2 ? 0x7fff : width == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  for (uint64_t at = 0; at < bytes; at += width) std::memcpy(memory + at, &nan, width);
}

}  // namespace

void CommitTensor(const PendingAccess& pending) {
  if (CommitTold(pending)) return;
  const auto* const bytes = reinterpret_cast<const std::byte*>(pending.values.data());
  for (uint32_t i = 0; i < kTensorSectors && pending.pointers[i] != nullptr; ++i) {
    const uint64_t how = pending.values[2][i];
    if (pending.inst->modifiers.to) {
      Store(*pending.inst, pending.pointers[i], bytes + size_t{i} * kBulkSector, how & 0xffffffff,
            static_cast<TensorType>(how >> 32));
      continue;
    }
    Scatter(pending.pointers[i], pending.values[3][i], how & 0xffffffff,
            static_cast<TensorSwizzle>(how >> 32), bytes + size_t{i} * kBulkSector);
  }
}

}  // namespace simt

namespace simt {
namespace {

// One lane's copy of one issue.
struct LaneCopy {
  Context& c;
  const Inst& inst;
  uint32_t lane;
  TensorOperands of;
  BulkWaiting& waiting;

  uint64_t Bytes() const { return of.box.Bytes(); }

  // Each destination is checked as a whole, and prepared where the copy begins.
  void Prepare() {
    ForEachDestination(c, inst, lane, of.shared, [&](uint64_t at) {
      const BulkShared to = BulkSharedAt(c, inst, lane, at, Bytes());
      const bool now = to.own || !c.deferred;
      // Swizzling leaves whole lines as they are.
      const bool whole = Bytes() % kSwizzledLine == 0;
      if (now && whole) return FillOutside(to.pointer, of.box.map, Bytes());
      std::array<std::byte, kBulkSector> outside;
      FillOutside(outside.data(), of.box.map, kBulkSector);
      const uint64_t begin = at & kWithinOwn;
      for (uint64_t done = 0; done < Bytes(); done += kBulkSector) {
        const uint64_t bytes = std::min<uint64_t>(kBulkSector, Bytes() - done);
        if (now) {
          Scatter(to.pointer - begin, begin + done, bytes, of.box.map.swizzle, outside.data());
        } else {
          WaitPart(waiting, to.pointer - begin, begin + done, outside.data(), bytes,
                   of.box.map.swizzle);
        }
      }
    });
  }

  // `place`: where in the box, before it is swizzled.
  void LoadPart(const std::byte* global, uint64_t place, uint64_t bytes) {
    ForEachDestination(c, inst, lane, of.shared, [&](uint64_t at) {
      const BulkShared to = BulkSharedAt(c, inst, lane, at, Bytes());
      // Where address 0 of that TB's shared memory lies.
      std::byte* const memory = to.pointer - (at & kWithinOwn);
      const uint64_t there = (at & kWithinOwn) + place;
      if (to.own || !c.deferred) {
        Scatter(memory, there, bytes, of.box.map.swizzle, global);
      } else {
        WaitPart(waiting, memory, there, global, bytes, of.box.map.swizzle);
      }
    });
  }

  void StorePart(std::byte* global, uint64_t place, uint64_t bytes) {
    std::array<std::byte, kBulkSector> part;
    const uint64_t begin = of.shared & kWithinOwn;
    const std::byte* const memory = BulkSharedAt(c, inst, lane, of.shared, Bytes()).pointer - begin;
    ForEachPiece(begin + place, bytes, of.box.map.swizzle,
                 [&](uint64_t at, uint64_t offset, uint64_t piece) {
                   std::memcpy(part.data() + offset, memory + at, piece);
                 });
    if (c.deferred) {
      WaitStore(waiting, global, part.data(), bytes, of.box.map.type);
    } else {
      Store(inst, global, part.data(), bytes, of.box.map.type);
    }
  }
};

}  // namespace
}  // namespace simt

// True: all is copied.
bool Executor::State::CopyTensor(const simt::Inst& inst, simt::WarpState& w, LaneMask executed) {
  using namespace simt;  // NOLINT: nearly all names are its
  const bool stores = inst.modifiers.to;
  uint32_t skip = w.bulk_done;
  uint32_t taken = 0;
  bool whole = true;
  BulkWaiting waiting(&context, &inst, kTensorSectors);
  for (LaneMask rest = executed; rest != 0 && whole; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    LaneCopy copy{context, inst, lane, TensorOperandsOf(context, inst, lane), waiting};
    const bool loads = !stores && !inst.modifiers.prefetch;
    if (loads && skip == 0) copy.Prepare();
    uint32_t sector = 0;  // of the lane's copy
    ForEachRun(copy.of.box, [&](const TensorRun& run) {
      std::byte* const global = BulkGlobal(context, inst, lane, run.address, run.bytes, stores);
      for (uint64_t begin = 0; begin < run.bytes; ++sector) {
        const uint64_t address = run.address + begin;
        const uint64_t bytes = std::min(run.bytes - begin, kBulkSector - address % kBulkSector);
        if (sector >= skip) {
          if (taken == kTensorSectors) {
            whole = false;
            return false;
          }
          if (stores) copy.StorePart(global + begin, run.place + begin, bytes);
          if (loads) copy.LoadPart(global + begin, run.place + begin, bytes);
          context.addresses[taken++] = address / kBulkSector * kBulkSector;
        }
        begin += bytes;
      }
      return true;
    });
    skip -= std::min(skip, sector);
  }
  context.space = MemorySpace::kGlobal;
  context.in_space = (LaneMask{1} << taken) - 1;
  return EndBulkIssue(context, inst, w, executed, whole ? 0 : taken, [&](uint32_t lane) {
    return TensorOperandsOf(context, inst, lane).box.Bytes();
  });
}

}  // namespace flagstone
