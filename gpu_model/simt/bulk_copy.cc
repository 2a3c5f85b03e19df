// cp.async.bulk (PTX ISA, section 9.7.9.25.4): copies of many bytes between global and shared
// memory, which each lane that executes it asks for. They are made at once, up to 32 sectors of 32
// bytes at a time: the instruction issues again until all are copied, so that all count as traffic.
#include "gpu_model/simt/bulk_copy.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/mbarrier.h"

namespace flagstone {
namespace simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint32_t kUnit = 16;  // bytes that sizes and addresses are multiples of

struct Copy {
  uint64_t from = 0, to = 0;
  std::byte* source = nullptr;
  std::byte* destination = nullptr;  // of a multicast: unknown
  uint64_t bytes = 0;
  bool later = false;  // not before the commit

  uint32_t Sectors(bool at_destination) const {
    const uint64_t begin = (at_destination ? to : from) / kBulkSector;
    return static_cast<uint32_t>(
        ((at_destination ? to : from) + bytes + kBulkSector - 1) / kBulkSector - begin);
  }
};

Copy CopyOf(Context& c, const Inst& inst, uint32_t lane) {
  Copy copy;
  copy.bytes = Source<uint32_t>(c, inst.source[1])[lane];
  copy.from = BulkAddress(c, inst.source[0], inst.wide_address, inst.offset, lane);
  const bool places = !inst.modifiers.prefetch;
  if (places) copy.to = BulkAddress(c, inst.bulk->to, lane);
  if ((copy.bytes | copy.from | copy.to) % kUnit != 0) {
    ThrowOfThread(
        c, inst, lane,
        fmt::format("bulk copy of {} bytes from {:#x} to {:#x}: expected multiples of {},",
                    copy.bytes, copy.from, copy.to, kUnit),
        FailureCause::kMisaligned);
  }
  if (copy.bytes == 0) return copy;
  copy.source = inst.space == MemorySpace::kGlobal
                    ? BulkGlobal(c, inst, lane, copy.from, copy.bytes, false)
                    : BulkSharedAt(c, inst, lane, copy.from, copy.bytes).pointer;
  if (inst.modifiers.to) {
    copy.destination = BulkGlobal(c, inst, lane, copy.to, copy.bytes, true);
    copy.later = c.deferred;
  } else if (places && !inst.modifiers.multicast) {
    const BulkShared shared = BulkSharedAt(c, inst, lane, copy.to, copy.bytes);
    copy.destination = shared.pointer;
    copy.later = c.deferred && !shared.own;
  }
  return copy;
}

// Which bytes of a copy lie in one of its sectors.
struct BulkPart {
  uint64_t begin = 0, bytes = 0;
};
BulkPart PartOf(const Copy& copy, uint32_t sector, bool at_destination) {
  const uint64_t base = at_destination ? copy.to : copy.from;
  const uint64_t first = (base / kBulkSector + sector) * kBulkSector;
  const uint64_t begin = first > base ? first - base : 0;
  return {begin, std::min(copy.bytes, first + kBulkSector - base) - begin};
}

void PutPart(const Inst& inst, std::byte* to, const std::byte* from, uint64_t bytes) {
  if (inst.bulk->reducer != nullptr) return inst.bulk->reducer(to, from, bytes);
  std::memmove(to, from, bytes);
}

// What waits for a commit lacks its second half where bit i of the mask is 0.
void WaitSector(BulkWaiting& waiting, std::byte* to, const std::byte* from, uint64_t bytes) {
  const auto [pending, part] = waiting.Add(to, from, bytes);
  if (bytes == kBulkSector) pending.mask |= LaneMask{1} << part;
}

}  // namespace

BulkWaiting::Place BulkWaiting::Add(std::byte* to, const std::byte* from, uint64_t bytes) {
  if (record_ == kNone || count_ == most_) {
    PendingAccess& opened = TakePending(context_);
    record_ = context_.pending_count - 1;
    count_ = 0;
    opened.inst = &inst_;
    opened.mask = 0;
    opened.destination = nullptr;
    opened.pointers = {};
  }
  PendingAccess& pending = context_.pending[record_];
  std::memcpy(reinterpret_cast<std::byte*>(pending.values.data()) + size_t{count_} * kBulkSector,
              from, bytes);
  pending.pointers[count_] = to;
  return {pending, count_++};
}

uint64_t BulkAddress(const Context& c, SlotId slot, bool wide, uint64_t offset, uint32_t lane) {
  if (wide) return Source<uint64_t>(c, slot)[lane] + offset;
  return Source<uint32_t>(c, slot)[lane] + static_cast<uint32_t>(offset);
}

uint64_t BulkAddress(const Context& c, const BulkSlots::Address& address, uint32_t lane) {
  return BulkAddress(c, address.slot, address.wide, address.offset, lane);
}

std::byte* BulkGlobal(Context& c, const Inst& inst, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes) {
  const DeviceMemory::Region* const region = c.memory->Find(address, bytes);
  if (region == nullptr) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("out-of-bounds bulk copy of {} bytes at {:#x}", bytes, address),
                  FailureCause::kAddress);
  }
  if (writes && !region->writable) {
    ThrowOfThread(c, inst, lane, fmt::format("bulk copy to read-only memory at {:#x}", address),
                  FailureCause::kAddress);
  }
  return c.memory->At(address);
}

BulkShared BulkSharedAt(Context& c, const Inst& inst, uint32_t lane, uint64_t address,
                        uint64_t bytes) {
  const uint64_t offset = address & kWithinOwn;
  const auto rank = static_cast<uint32_t>(address >> kRankShift) & 0xff;
  BulkShared shared{c.shared.origin, true};
  if (rank != 0 && c.clusters != nullptr && rank <= c.clusters->shape.Count()) {
    const uint64_t peer = PeerOf(c.tb, rank - 1, c.clusters->grid, c.clusters->shape);
    shared = {c.clusters->shared[peer].load(std::memory_order_acquire), peer == c.tb};
  } else if (rank != 0) {
    shared.pointer = nullptr;
  }
  if (shared.pointer == nullptr || offset > c.shared.size || bytes > c.shared.size - offset) {
    ThrowOfThread(
        c, inst, lane,
        fmt::format("out-of-bounds bulk copy of {} bytes at shared {:#x}", bytes, address),
        FailureCause::kAddress);
  }
  shared.pointer += offset;
  return shared;
}

uint32_t MulticastTbs(Context& c, const Inst& inst, uint32_t lane) {
  const uint32_t tbs = Source<uint32_t>(c, inst.bulk->tbs)[lane] & 0xffff;
  const uint64_t count = c.clusters == nullptr ? 1 : c.clusters->shape.Count();
  if (tbs >> count != 0) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("multicast to TBs {:#x} of a cluster of {},", tbs, count));
  }
  return tbs;
}

uint64_t AddressInTb(const Context& c, uint64_t address, uint32_t rank) {
  const uint64_t upper = c.clusters == nullptr ? 0 : uint64_t{rank} + 1;
  return upper << kRankShift | (address & kWithinOwn);
}

void TellBarrier(Context& c, const Inst& inst, uint32_t lane, uint64_t bytes) {
  ForEachDestination(c, inst, lane, BulkAddress(c, inst.bulk->barrier, lane), [&](uint64_t at) {
    const BulkShared barrier = BulkSharedAt(c, inst, lane, at, sizeof(uint64_t));
    if (barrier.own || !c.deferred) {
      CompleteBytes(barrier.pointer, static_cast<uint32_t>(bytes));
      return;
    }
    PendingAccess& pending = TakePending(c);
    pending.inst = &inst;
    pending.mask = 0;
    pending.destination = barrier.pointer;
    pending.values[0][0] = bytes;
  });
}

bool CommitTold(const PendingAccess& pending) {
  if (pending.destination == nullptr) return false;
  CompleteBytes(pending.destination, static_cast<uint32_t>(pending.values[0][0]));
  return true;
}

void CommitBulk(const PendingAccess& pending) {
  if (CommitTold(pending)) return;
  const auto* const bytes = reinterpret_cast<const std::byte*>(pending.values.data());
  for (uint32_t i = 0; i < kWarpSize && pending.pointers[i] != nullptr; ++i) {
    const bool whole = (pending.mask >> i & 1) != 0;
    PutPart(*pending.inst, pending.pointers[i], bytes + size_t{i} * kBulkSector,
            whole ? kBulkSector : kUnit);
  }
}

}  // namespace simt

// True: all is copied.
bool Executor::State::CopyBulk(const simt::Inst& inst, simt::WarpState& w, LaneMask executed) {
  using simt::Copy;
  if (inst.modifiers.to && inst.modifiers.lane_sync) {
    executed &= ~executed + 1;  // a tensor map, which the warp copies as one
  } else if (inst.modifiers.to) {
    w.uncommitted |= executed;
    w.uncommitted_pc = inst.pc;
  }
  if (inst.modifiers.async_op == ptx::AsyncOp::kTensorCopy) return CopyTensor(inst, w, executed);
  // What travels is the side in global memory; between two shared memories the source.
  const bool at_destination = inst.modifiers.to;
  uint32_t skip = w.bulk_done;
  uint32_t taken = 0;
  bool whole = true;
  simt::BulkWaiting waiting(&context, &inst, kWarpSize);
  for (LaneMask rest = executed; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    const Copy copy = simt::CopyOf(context, inst, lane);
    const uint32_t sectors = copy.bytes == 0 ? 0 : copy.Sectors(at_destination);
    for (uint32_t sector = std::min(skip, sectors); sector < sectors; ++sector) {
      if (taken == kWarpSize) {
        whole = false;
        break;
      }
      const simt::BulkPart part = simt::PartOf(copy, sector, at_destination);
      const std::byte* const source = copy.source + part.begin;
      if (inst.modifiers.prefetch) {
        // Only the traffic counts.
      } else if (inst.modifiers.multicast) {
        simt::ForEachDestination(context, inst, lane, copy.to + part.begin, [&](uint64_t at) {
          const simt::BulkShared to = simt::BulkSharedAt(context, inst, lane, at, part.bytes);
          if (to.own || !context.deferred) {
            std::memmove(to.pointer, source, part.bytes);
          } else {
            simt::WaitSector(waiting, to.pointer, source, part.bytes);
          }
        });
      } else if (copy.later) {
        simt::WaitSector(waiting, copy.destination + part.begin, source, part.bytes);
      } else {
        simt::PutPart(inst, copy.destination + part.begin, source, part.bytes);
      }
      const uint64_t base = at_destination ? copy.to : copy.from;
      context.addresses[taken++] = (base / simt::kBulkSector + sector) * simt::kBulkSector;
    }
    if (!whole) break;
    skip -= std::min(skip, sectors);
  }
  context.space = inst.modifiers.to ? MemorySpace::kGlobal : inst.space;
  context.in_space = taken == kWarpSize ? simt::kAllLanes : (LaneMask{1} << taken) - 1;
  return simt::EndBulkIssue(context, inst, w, executed, whole ? 0 : taken,
                            [&](uint32_t lane) { return simt::CopyOf(context, inst, lane).bytes; });
}

}  // namespace flagstone
