// cp.async.bulk (PTX ISA, section 9.7.9.25.4): copies of many bytes between global and shared
// memory, which each lane that executes it asks for. They are made at once, up to 32 sectors of 32
// bytes at a time: the instruction issues again until all are copied, so that all count as traffic.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/mbarrier.h"

namespace flagstone {
namespace simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint32_t kSector = 32;
constexpr uint32_t kUnit = 16;  // bytes that sizes and addresses are multiples of

struct Copy {
  uint64_t from = 0, to = 0;
  std::byte* source = nullptr;
  std::byte* destination = nullptr;
  uint64_t bytes = 0;

  uint32_t Sectors(bool at_destination) const {
    const uint64_t begin = (at_destination ? to : from) / kSector;
    return static_cast<uint32_t>(((at_destination ? to : from) + bytes + kSector - 1) / kSector -
                                 begin);
  }
};

uint64_t AddressIn(const Context& c, SlotId slot, bool wide, uint64_t offset, uint32_t lane) {
  if (wide) return Source<uint64_t>(c, slot)[lane] + offset;
  return Source<uint32_t>(c, slot)[lane] + static_cast<uint32_t>(offset);
}

std::byte* Global(Context& c, const Inst& inst, uint32_t lane, uint64_t address, uint64_t bytes,
                  bool writes) {
  const DeviceMemory::Region* const region = c.memory->Find(address, bytes);
  if (region == nullptr) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("out-of-bounds bulk copy of {} bytes at {:#x}", bytes, address));
  }
  if (writes && !region->writable) {
    ThrowOfThread(c, inst, lane, fmt::format("bulk copy to read-only memory at {:#x}", address));
  }
  return c.memory->At(address);
}

// In the shared memory of the TB, or of the one whose rank the address names.
std::byte* Shared(Context& c, const Inst& inst, uint32_t lane, uint64_t address, uint64_t bytes) {
  const uint64_t offset = address & ((uint64_t{1} << kRankShift) - 1);
  const auto rank = static_cast<uint32_t>(address >> kRankShift) & 0xff;
  std::byte* memory = c.shared.origin;
  if (rank != 0 && c.clusters != nullptr && rank <= c.clusters->shape.Count()) {
    const uint64_t peer = PeerOf(c.tb, rank - 1, c.clusters->grid, c.clusters->shape);
    memory = c.clusters->shared[peer].load(std::memory_order_acquire);
  } else if (rank != 0) {
    memory = nullptr;
  }
  if (memory == nullptr || offset > c.shared.size || bytes > c.shared.size - offset) {
    ThrowOfThread(
        c, inst, lane,
        fmt::format("out-of-bounds bulk copy of {} bytes at shared {:#x}", bytes, address));
  }
  return memory + offset;
}

Copy CopyOf(Context& c, const Inst& inst, uint32_t lane) {
  Copy copy;
  copy.bytes = Source<uint32_t>(c, inst.source[1])[lane];
  copy.from = AddressIn(c, inst.source[0], inst.wide_address, inst.offset, lane);
  copy.to = AddressIn(c, inst.bulk->to.slot, inst.bulk->to.wide, inst.bulk->to.offset, lane);
  if ((copy.bytes | copy.from | copy.to) % kUnit != 0) {
    ThrowOfThread(
        c, inst, lane,
        fmt::format("bulk copy of {} bytes from {:#x} to {:#x}: expected multiples of {},",
                    copy.bytes, copy.from, copy.to, kUnit));
  }
  if (copy.bytes == 0) return copy;
  copy.source = inst.space == MemorySpace::kGlobal
                    ? Global(c, inst, lane, copy.from, copy.bytes, false)
                    : Shared(c, inst, lane, copy.from, copy.bytes);
  copy.destination = inst.modifiers.to ? Global(c, inst, lane, copy.to, copy.bytes, true)
                                       : Shared(c, inst, lane, copy.to, copy.bytes);
  return copy;
}

// Which bytes of a copy lie in one of its sectors.
struct Part {
  uint64_t begin = 0, bytes = 0;
};
Part PartOf(const Copy& copy, uint32_t sector, bool at_destination) {
  const uint64_t base = at_destination ? copy.to : copy.from;
  const uint64_t first = (base / kSector + sector) * kSector;
  const uint64_t begin = first > base ? first - base : 0;
  return {begin, std::min(copy.bytes, first + kSector - base) - begin};
}

// What is on its way to global memory: sector i stands in `values` from byte 32 i on, and lacks its
// second half where bit i of the mask is 0.
std::byte* WaitingSector(PendingAccess& pending, uint32_t i) {
  return reinterpret_cast<std::byte*>(pending.values.data()) + size_t{i} * kSector;
}

}  // namespace

void CommitBulk(const PendingAccess& pending) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(pending.values.data());
  for (uint32_t i = 0; i < kWarpSize && pending.pointers[i] != nullptr; ++i) {
    const bool whole = (pending.mask >> i & 1) != 0;
    std::memcpy(pending.pointers[i], bytes + size_t{i} * kSector, whole ? kSector : kUnit);
  }
}

}  // namespace simt

// True: all is copied.
bool Executor::State::CopyBulk(const simt::Inst& inst, simt::WarpState& w, LaneMask executed) {
  using simt::Copy;
  // What travels is the side in global memory; between two shared memories the source.
  const bool at_destination = inst.modifiers.to;
  uint32_t skip = w.bulk_done;
  uint32_t taken = 0;
  bool whole = true;
  simt::PendingAccess* pending = nullptr;
  if (inst.modifiers.to && context.deferred) {
    pending = &simt::baseline::TakePending(context);
    pending->inst = &inst;
    pending->mask = 0;
    pending->pointers = {};
  }
  for (LaneMask rest = executed; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    const Copy copy = simt::CopyOf(context, inst, lane);
    const uint32_t sectors = copy.bytes == 0 ? 0 : copy.Sectors(at_destination);
    for (uint32_t sector = std::min(skip, sectors); sector < sectors; ++sector) {
      if (taken == kWarpSize) {
        whole = false;
        break;
      }
      const simt::Part part = simt::PartOf(copy, sector, at_destination);
      if (pending != nullptr) {
        std::memcpy(simt::WaitingSector(*pending, taken), copy.source + part.begin, part.bytes);
        pending->pointers[taken] = copy.destination + part.begin;
        if (part.bytes == simt::kSector) pending->mask |= LaneMask{1} << taken;
      } else {
        std::memmove(copy.destination + part.begin, copy.source + part.begin, part.bytes);
      }
      const uint64_t base = at_destination ? copy.to : copy.from;
      context.addresses[taken++] = (base / simt::kSector + sector) * simt::kSector;
    }
    if (!whole) break;
    skip -= std::min(skip, sectors);
  }
  context.space = inst.modifiers.to ? MemorySpace::kGlobal : inst.space;
  context.in_space = taken == kWarpSize ? simt::kAllLanes : (LaneMask{1} << taken) - 1;
  if (!whole) {
    w.bulk_done += taken;
    return false;
  }
  w.bulk_done = 0;
  if (!inst.modifiers.transaction) return true;
  for (LaneMask rest = executed; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    const simt::BulkSlots::Address& at = inst.bulk->barrier;
    const uint64_t barrier = simt::AddressIn(context, at.slot, at.wide, at.offset, lane);
    simt::CompleteBytes(simt::Shared(context, inst, lane, barrier, 8),
                        static_cast<uint32_t>(simt::CopyOf(context, inst, lane).bytes));
  }
  return true;
}

}  // namespace flagstone
