#include "gpu_model/simt/handlers/access.h"

#include "gpu_model/simt/faults.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

uint32_t FirstLane(LaneMask mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

void ComputeAddresses(Context& c, const Inst& inst) {
  uint64_t* addresses = c.addresses.data();
  const uint64_t offset = inst.offset;
  if (inst.wide_address) {
    const uint64_t* base = Source<uint64_t>(c, inst.source[0]);
    for (uint32_t i = 0; i < kWarpSize; ++i) addresses[i] = base[i] + offset;
  } else {
    const uint32_t* base = Source<uint32_t>(c, inst.source[0]);
    const auto offset32 = static_cast<uint32_t>(offset);
    for (uint32_t i = 0; i < kWarpSize; ++i) addresses[i] = base[i] + offset32;
    if (!inst.generic) return;
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      addresses[i] = Widen(static_cast<uint32_t>(addresses[i]));
    }
  }
}

// Zero in the upper bit: all lanes of the mask lie inside the view; zero in the low bits below
// `access_bytes`: all are aligned. Sizes are below 2^62, so that the signs tell.
struct Verdict {
  uint64_t outside = 0;
  uint64_t alignment = 0;
};

FLAGSTONE_INLINE Verdict Judge(const Context& c, const View& view, LaneMask mask, uint64_t bytes) {
  const uint64_t* addresses = c.addresses.data();
  const uint64_t low = view.low;
  const uint64_t last = view.size - bytes;
  Verdict verdict;
  if (mask == kAllLanes) {
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      const uint64_t distance = addresses[i] - low;
      verdict.outside |= distance | (last - distance);
      verdict.alignment |= addresses[i];
    }
  } else {
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      const uint64_t keep = (mask & (1U << i)) != 0 ? ~uint64_t{0} : 0;
      const uint64_t distance = addresses[i] - low;
      verdict.outside |= (distance | (last - distance)) & keep;
      verdict.alignment |= addresses[i] & keep;
    }
  }
  return verdict;
}

FLAGSTONE_INLINE bool Inside(const Verdict& verdict) { return verdict.outside >> 63 == 0; }

FLAGSTONE_INLINE void PointInto(Context& c, const View& view) {
  const uint64_t* addresses = c.addresses.data();
  std::byte** pointers = c.pointers.data();
  const auto origin = reinterpret_cast<uintptr_t>(view.origin);
  for (uint32_t i = 0; i < kWarpSize; ++i) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    pointers[i] = reinterpret_cast<std::byte*>(origin + addresses[i] + i * view.lane_stride);
  }
}

View GlobalView(const Context& c, const DeviceMemory::Region& region) {
  View view;
  const auto host = reinterpret_cast<uintptr_t>(c.memory->At(region.address));
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  view.origin = reinterpret_cast<std::byte*>(host - region.address);
  view.low = region.address;
  view.size = region.size;
  return view;
}

void CheckLane(const Context& c, const Inst& inst, uint32_t lane, const View& view,
               MemorySpace space) {
  const uint64_t address = c.addresses[lane];
  const uint64_t distance = address - view.low;
  if (view.size < inst.access_bytes || distance > view.size - inst.access_bytes) {
    ThrowFault(c, inst, lane, Fault::kOutOfBounds, space, address);
  }
  if (address % inst.access_bytes != 0) {
    ThrowFault(c, inst, lane, Fault::kMisaligned, space, address);
  }
}

// Lane by lane, each with the region of its own address.
void CheckGlobalLane(Context& c, const Inst& inst, uint32_t lane) {
  const uint64_t address = c.addresses[lane];
  const DeviceMemory::Region* region = c.memory->Find(address, inst.access_bytes);
  if (region == nullptr) {
    ThrowFault(c, inst, lane, Fault::kOutOfBounds, MemorySpace::kGlobal, address);
  }
  const View view = GlobalView(c, *region);
  CheckLane(c, inst, lane, view, MemorySpace::kGlobal);
  if (inst.writes_memory && !region->writable) {
    ThrowFault(c, inst, lane, Fault::kReadOnly, MemorySpace::kGlobal, address);
  }
  c.pointers[lane] = c.memory->At(address);
  c.recent[inst.pc] = view;
}

void PrepareGlobal(Context& c, const Inst& inst, LaneMask mask) {
  const View& view = c.recent[inst.pc];
  if (view.size >= inst.access_bytes) {
    const Verdict verdict = Judge(c, view, mask, inst.access_bytes);
    if (Inside(verdict) && (verdict.alignment & (inst.access_bytes - 1U)) == 0) [[likely]] {
      PointInto(c, view);
      return;
    }
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) CheckGlobalLane(c, inst, FirstLane(rest));
}

void PrepareOwn(Context& c, const Inst& inst, LaneMask mask, const View& view, MemorySpace space) {
  const Verdict verdict = Judge(c, view, mask, inst.access_bytes);
  if (view.size < inst.access_bytes || !Inside(verdict) ||
      (verdict.alignment & (inst.access_bytes - 1U)) != 0) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      CheckLane(c, inst, FirstLane(rest), view, space);
    }
  }
  PointInto(c, view);
}

void PrepareIn(Context& c, const Inst& inst, LaneMask mask, MemorySpace space) {
  switch (space) {
    case MemorySpace::kShared:
      return PrepareOwn(c, inst, mask, c.shared, space);
    case MemorySpace::kLocal:
      return PrepareOwn(c, inst, mask, c.local, space);
    case MemorySpace::kParam:
      return PrepareOwn(c, inst, mask, c.param, space);
    default:
      return PrepareGlobal(c, inst, mask);
  }
}

MemorySpace SpaceOf(uint64_t generic_address) {
  switch (generic_address >> kWindowShift) {
    case kSharedWindow >> kWindowShift:
      return MemorySpace::kShared;
    case kLocalWindow >> kWindowShift:
      return MemorySpace::kLocal;
    case kParamWindow >> kWindowShift:
      return MemorySpace::kParam;
    default:
      return MemorySpace::kGlobal;
  }
}

// A generic access: its lanes may lie in several spaces. The one reported is the global memory's
// if any lane goes there, else the first lane's.
void PrepareGeneric(Context& c, const Inst& inst, LaneMask mask) {
  LaneMask lanes[6] = {};  // by MemorySpace
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t lane = FirstLane(rest);
    const MemorySpace space = SpaceOf(c.addresses[lane]);
    lanes[static_cast<size_t>(space)] |= 1U << lane;
    if (space != MemorySpace::kGlobal) c.addresses[lane] &= (uint64_t{1} << kWindowShift) - 1;
  }
  std::array<std::byte*, kWarpSize> pointers = {};
  c.space = MemorySpace::kNone;
  for (const MemorySpace space :
       {MemorySpace::kGlobal, MemorySpace::kShared, MemorySpace::kLocal, MemorySpace::kParam}) {
    const LaneMask here = lanes[static_cast<size_t>(space)];
    if (here == 0) continue;
    PrepareIn(c, inst, here, space);
    for (LaneMask rest = here; rest != 0; rest &= rest - 1) {
      pointers[FirstLane(rest)] = c.pointers[FirstLane(rest)];
    }
    if (c.space == MemorySpace::kNone) {
      c.space = space;
      c.in_space = here;
    }
  }
  c.pointers = pointers;
  if (inst.writes_memory && lanes[static_cast<size_t>(MemorySpace::kParam)] != 0) {
    const uint32_t lane = FirstLane(lanes[static_cast<size_t>(MemorySpace::kParam)]);
    ThrowFault(c, inst, lane, Fault::kReadOnly, MemorySpace::kParam, c.addresses[lane]);
  }
}

}  // namespace

void PrepareAccess(Context& c, const Inst& inst, LaneMask mask) {
  ComputeAddresses(c, inst);
  if (inst.generic) {
    PrepareGeneric(c, inst, mask);
    return;
  }
  c.space = inst.space;
  c.in_space = mask;
  PrepareIn(c, inst, mask, inst.space);
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
