// cp.async.bulk.tensor (PTX ISA, section 9.7.9.25.5): a box of a tensor that a tensor map
// describes, between global and shared memory. Made at once, as plain bulk copies are, at most 16
// sectors of 32 bytes at a time.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/launch/tensor_map.h"

namespace flagstone {
namespace simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint32_t kTensorSectors = 16;  // an issue: as many as a record that waits has room for
constexpr uint64_t kTensorUnit = 16;     // what swizzling moves
constexpr uint64_t kAlignment = 128;     // of the box in shared memory

struct TensorBox {
  TensorMap map;
  std::array<int64_t, TensorMap::kMostDimensions> at = {};
  uint64_t shared = 0;  // the address that the lane gives
};

// Bytes that are neighbours in global memory, and in the box before it is swizzled.
struct TensorRun {
  uint64_t address = 0, place = 0, bytes = 0;
};

TensorBox BoxOf(Context& c, const Inst& inst, uint32_t lane) {
  const uint64_t at = BulkAddress(c, inst.source[0], inst.wide_address, inst.offset, lane);
  const uint64_t wide = inst.wide_address ? at : Widen(static_cast<uint32_t>(at));
  const uint64_t window = wide >> kWindowShift << kWindowShift;
  const std::byte* from = nullptr;
  if (window == kParamWindow) {
    const uint64_t offset = wide - window;
    const bool inside = offset <= c.param.size && TensorMap::kBytes <= c.param.size - offset;
    if (inside) from = c.param.origin + offset;
  } else if (c.memory->Find(wide, TensorMap::kBytes) != nullptr) {
    from = c.memory->At(wide);
  }
  TensorBox box;
  if (from != nullptr) std::memcpy(&box.map, from, sizeof(box.map));
  if (from == nullptr || box.map.magic != TensorMap::kMagic ||
      box.map.dimensions != inst.modifiers.dimensions) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("copy by what is no tensor map of {} dimensions at {:#x}",
                              inst.modifiers.dimensions, wide));
  }
  for (uint32_t d = 0; d < inst.modifiers.dimensions; ++d) {
    box.at[d] = static_cast<int32_t>(Source<uint32_t>(c, inst.bulk->coordinates[d])[lane]);
  }
  box.shared = BulkAddress(c, inst.bulk->to, lane);
  if (box.shared % kAlignment != 0) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("tensor copy at shared {:#x}: expected a multiple of {},", box.shared,
                              kAlignment),
                  FailureCause::kMisaligned);
  }
  return box;
}

// Calls visit(run) for what of the box lies inside the tensor, until it returns false.
template <class Visit>
void ForEachRun(const TensorBox& box, Visit visit) {
  const TensorMap& map = box.map;
  uint64_t rows = 1;
  for (uint32_t d = 1; d < map.dimensions; ++d) rows *= map.Copied(d);
  const uint64_t bytes = map.ElementBytes();
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t address = map.base;
    bool inside = true;
    uint64_t left = row;
    for (uint32_t d = 1; d < map.dimensions; ++d) {
      const int64_t at = box.at[d] + static_cast<int64_t>(left % map.Copied(d)) *
                                         static_cast<int64_t>(map.steps[d]);
      left /= map.Copied(d);
      inside &= at >= 0 && at < static_cast<int64_t>(map.shape[d]);
      address += static_cast<uint64_t>(at) * map.strides[d];
    }
    if (!inside) continue;
    const auto count = static_cast<int64_t>(map.Copied(0));
    const uint64_t place = row * static_cast<uint64_t>(count) * bytes;
    const auto step = static_cast<int64_t>(map.steps[0]);
    const bool joined = step == 1;
    for (int64_t i = 0; i < count;) {
      const int64_t at = box.at[0] + i * step;
      if (at < 0 || at >= static_cast<int64_t>(map.shape[0])) {
        ++i;
        continue;
      }
      const int64_t elements =
          joined ? std::min(count - i, static_cast<int64_t>(map.shape[0]) - at) : 1;
      const TensorRun run{address + static_cast<uint64_t>(at) * bytes,
                          place + static_cast<uint64_t>(i) * bytes,
                          static_cast<uint64_t>(elements) * bytes};
      if (!visit(run)) return;
      i += elements;
    }
  }
}

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
// in shared memory, where it goes.
void WaitPart(BulkWaiting& waiting, std::byte* memory, uint64_t at, const std::byte* from,
              uint64_t bytes, TensorSwizzle swizzle) {
  const auto [pending, part] = waiting.Add(memory, from, bytes);
  pending.values[2][part] = bytes | static_cast<uint64_t>(swizzle) << 32;
  pending.values[3][part] = at;
}

// What lies outside of the tensor is 0, or the NaN of its size.
void FillOutside(std::byte* memory, const TensorMap& map) {
  const uint64_t bytes = map.BoxBytes();
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
    Scatter(pending.pointers[i], pending.values[3][i], how & 0xffffffff,
            static_cast<TensorSwizzle>(how >> 32), bytes + size_t{i} * kBulkSector);
  }
}

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
    const TensorBox box = BoxOf(context, inst, lane);
    const TensorSwizzle swizzle = box.map.swizzle;
    // Each destination is checked as a whole, and prepared where the copy begins.
    if (!stores && skip == 0) {
      ForEachDestination(context, inst, lane, box.shared, [&](uint64_t at) {
        const BulkShared to = BulkSharedAt(context, inst, lane, at, box.map.BoxBytes());
        if (to.own || !context.deferred) {
          FillOutside(to.pointer, box.map);
        } else {
          std::array<std::byte, kBulkSector> outside;
          TensorMap row = box.map;
          row.box = {static_cast<uint16_t>(kBulkSector / row.ElementBytes()), 1, 1, 1, 1};
          row.steps = {1, 1, 1, 1, 1};
          FillOutside(outside.data(), row);
          for (uint64_t done = 0; done < box.map.BoxBytes(); done += kBulkSector) {
            const uint64_t bytes = std::min<uint64_t>(kBulkSector, box.map.BoxBytes() - done);
            WaitPart(waiting, to.pointer, done, outside.data(), bytes, TensorSwizzle::kNone);
          }
        }
      });
    }
    const BulkShared own =
        stores ? BulkSharedAt(context, inst, lane, box.shared, box.map.BoxBytes()) : BulkShared();
    uint32_t sector = 0;  // of the lane's copy
    ForEachRun(box, [&](const TensorRun& run) {
      std::byte* const global = BulkGlobal(context, inst, lane, run.address, run.bytes, stores);
      for (uint64_t begin = 0; begin < run.bytes; ++sector) {
        const uint64_t address = run.address + begin;
        const uint64_t bytes = std::min(run.bytes - begin, kBulkSector - address % kBulkSector);
        if (sector >= skip) {
          if (taken == kTensorSectors) {
            whole = false;
            return false;
          }
          const uint64_t place = (box.shared & kWithinOwn) + run.place + begin;
          if (stores) {
            std::array<std::byte, kBulkSector> part;
            const std::byte* const memory = own.pointer - (box.shared & kWithinOwn);
            ForEachPiece(place, bytes, swizzle, [&](uint64_t at, uint64_t offset, uint64_t piece) {
              std::memcpy(part.data() + offset, memory + at, piece);
            });
            if (context.deferred) {
              WaitPart(waiting, global + begin, 0, part.data(), bytes, TensorSwizzle::kNone);
            } else {
              std::memcpy(global + begin, part.data(), bytes);
            }
          } else {
            ForEachDestination(context, inst, lane, box.shared, [&](uint64_t at) {
              const BulkShared to = BulkSharedAt(context, inst, lane, at, box.map.BoxBytes());
              // Where address 0 of that TB's shared memory lies.
              std::byte* const memory = to.pointer - (at & kWithinOwn);
              const uint64_t there = (at & kWithinOwn) + run.place + begin;
              if (to.own || !context.deferred) {
                Scatter(memory, there, bytes, swizzle, global + begin);
              } else {
                WaitPart(waiting, memory, there, global + begin, bytes, swizzle);
              }
            });
          }
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
  return EndBulkIssue(context, inst, w, executed, whole ? 0 : taken,
                      [&](uint32_t lane) { return BoxOf(context, inst, lane).map.BoxBytes(); });
}

}  // namespace flagstone
