#include "gpu_model/simt/clusters.h"

#include <fmt/core.h>

#include <cstring>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint64_t kWithinTb = (uint64_t{1} << kRankShift) - 1;
constexpr uint64_t kWithinWindow = (uint64_t{1} << kWindowShift) - 1;

Dim3 ClustersOf(const Dim3& grid, const Dim3& cluster) {
  return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
}

// The window of a 32-bit generic address becomes that of 64 bits.
uint64_t Wide(const Inst& inst, uint64_t address) {
  return inst.generic && !inst.wide_address ? Widen(static_cast<uint32_t>(address)) : address;
}

// The address that a lane accesses, before it is resolved.
uint64_t AddressOf(const Context& c, const Inst& inst, uint32_t lane) {
  if (inst.wide_address) return Source<uint64_t>(c, inst.source[0])[lane] + inst.offset;
  const uint32_t base = Source<uint32_t>(c, inst.source[0])[lane];
  return Wide(inst, base + static_cast<uint32_t>(inst.offset));
}

// The rank plus one that an address names; 0: the TB's own memory, or no shared memory.
uint32_t RankIn(const Inst& inst, uint64_t address) {
  const uint64_t window = address >> kWindowShift << kWindowShift;
  if (inst.generic && window != kSharedWindow) return 0;
  return static_cast<uint32_t>((address & kWithinWindow) >> kRankShift);
}

// Calls visit(lanes) for each TB that lanes go to, with the context's view of that TB's memory.
template <class Visit>
void ForEachTb(Context& c, const Inst& inst, LaneMask mask, Visit visit) {
  const Clusters& clusters = *c.clusters;
  const View own = c.shared;
  LaneMask left = mask;
  while (left != 0) {
    const auto first = static_cast<uint32_t>(__builtin_ctz(left));
    const uint32_t rank = RankIn(inst, AddressOf(c, inst, first));
    LaneMask here = 0;
    for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
      if (RankIn(inst, AddressOf(c, inst, lane)) == rank) here |= 1U << lane;
    }
    left &= ~here;
    if (rank != 0) {
      if (rank > clusters.shape.Count()) {
        ThrowOfThread(c, inst, first, "an access to a TB that is not in the cluster,",
                      FailureCause::kAddress);
      }
      const uint64_t peer = PeerOf(c.tb, rank - 1, clusters.grid, clusters.shape);
      std::byte* const memory = clusters.shared[peer].load(std::memory_order_acquire);
      if (memory == nullptr) {
        ThrowOfThread(c, inst, first, "an access to a TB of the cluster that has not started,",
                      FailureCause::kAddress);
      }
      c.shared.low = uint64_t{rank} << kRankShift;
      c.shared.size = clusters.shared_bytes;
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      c.shared.origin =
          reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(memory) - c.shared.low);
    }
    c.remote = rank != 0;
    visit(here);
    c.remote = false;
    c.shared = own;
  }
}

void MapAddress(Context& c, const Inst& inst, LaneMask mask) {
  const bool wide = ptx::SizeInBytes(inst.type) == 8;
  const uint32_t* ranks = Source<uint32_t>(c, inst.source[1]);
  const uint64_t tbs = c.clusters == nullptr ? 1 : c.clusters->shape.Count();
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
    if (ranks[i] >= tbs) {
      ThrowOfThread(c, inst, i, fmt::format("rank {} in a cluster of {},", ranks[i], tbs));
    }
    const uint64_t upper = c.clusters == nullptr ? 0 : uint64_t{ranks[i]} + 1;
    if (wide) {
      const uint64_t address = Source<uint64_t>(c, inst.source[0])[i];
      const uint64_t window = address >> kWindowShift << kWindowShift;
      Destination<uint64_t>(c, inst.destination)[i] =
          window | upper << kRankShift | (address & kWithinTb);
    } else {
      const uint32_t address = Source<uint32_t>(c, inst.source[0])[i];
      Destination<uint32_t>(c, inst.destination)[i] =
          static_cast<uint32_t>(upper << kRankShift | (address & kWithinTb));
    }
  }
}

void RankOfAddress(Context& c, const Inst& inst, LaneMask mask) {
  const bool wide = ptx::SizeInBytes(inst.type) == 8;
  uint32_t own = 0;
  if (c.clusters != nullptr) {
    own = PlaceInCluster(c.tb, c.clusters->grid, c.clusters->shape).rank;
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
    const uint64_t address = wide ? Source<uint64_t>(c, inst.source[0])[i] & kWithinWindow
                                  : Source<uint32_t>(c, inst.source[0])[i];
    const auto upper = static_cast<uint32_t>(address >> kRankShift);
    Destination<uint32_t>(c, inst.destination)[i] = upper == 0 ? own : upper - 1;
  }
}

}  // namespace

ClusterPlace PlaceInCluster(uint64_t tb, const Dim3& grid, const Dim3& cluster) {
  const Dim3 at = TbCoordinates(tb, grid);
  ClusterPlace place;
  place.cluster = {at.x / cluster.x, at.y / cluster.y, at.z / cluster.z};
  place.within = {at.x % cluster.x, at.y % cluster.y, at.z % cluster.z};
  place.rank = (place.within.z * cluster.y + place.within.y) * cluster.x + place.within.x;
  const Dim3 count = ClustersOf(grid, cluster);
  place.index = (uint64_t{place.cluster.z} * count.y + place.cluster.y) * count.x + place.cluster.x;
  return place;
}

uint64_t PeerOf(uint64_t tb, uint32_t rank, const Dim3& grid, const Dim3& cluster) {
  const Dim3 at = PlaceInCluster(tb, grid, cluster).cluster;
  const Dim3 within = TbCoordinates(rank, cluster);
  const uint64_t x = uint64_t{at.x} * cluster.x + within.x;
  const uint64_t y = uint64_t{at.y} * cluster.y + within.y;
  const uint64_t z = uint64_t{at.z} * cluster.z + within.z;
  return (z * grid.y + y) * grid.x + x;
}

std::vector<uint32_t> ClusterOrder(const Dim3& grid, const Dim3& cluster) {
  std::vector<uint32_t> order;
  if (cluster.y == 1 && cluster.z == 1) return order;
  const Dim3 count = ClustersOf(grid, cluster);
  order.reserve(grid.Count());
  for (uint64_t index = 0; index < count.Count(); ++index) {
    const Dim3 at = TbCoordinates(index, count);
    const uint64_t first =
        (uint64_t{at.z} * cluster.z * grid.y + uint64_t{at.y} * cluster.y) * grid.x +
        uint64_t{at.x} * cluster.x;
    for (uint32_t rank = 0; rank < cluster.Count(); ++rank) {
      order.push_back(static_cast<uint32_t>(PeerOf(first, rank, grid, cluster)));
    }
  }
  return order;
}

Clusters::Clusters(const KernelLaunch& launch)
    : grid(launch.grid),
      shape(launch.cluster),
      shared_bytes(launch.SharedBytes()),
      shared(launch.TbCount()),
      barriers(launch.TbCount() / launch.cluster.Count()) {
  const auto threads = static_cast<uint32_t>(shape.Count() * launch.block.Count());
  for (Barrier& barrier : barriers) barrier.expected = threads;
}

void Clusters::Arrive(uint64_t cluster, uint32_t threads, bool exit) {
  Barrier& barrier = barriers[cluster];
  if (exit) {
    barrier.expected -= threads;
  } else {
    barrier.arrived += threads;
  }
  if (barrier.arrived == 0 || barrier.arrived < barrier.expected) return;
  barrier.arrived = 0;
  ++barrier.phase;
}

Handler SelectClusterAddress(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kMapa ? MapAddress : RankOfAddress;
}

void AccessCluster(Context& context, const Inst& inst, LaneMask mask) {
  LaneMask in_space = 0;
  ForEachTb(context, inst, mask, [&](LaneMask lanes) {
    inst.inner(context, inst, lanes);
    in_space |= context.space == MemorySpace::kShared ? context.in_space : 0;
  });
  // Of several spaces, the one that has lanes in other TBs, if any has, is what timing sees.
  if (context.space == MemorySpace::kShared) context.in_space = in_space;
}

void LoadFromCluster(Context& context, const Inst& inst, LaneMask mask) {
  LaneMask in_space = 0;
  ForEachTb(context, inst, mask, [&](LaneMask lanes) {
    if (!context.remote || !context.deferred) {
      inst.inner(context, inst, lanes);
    } else {
      Handlers().touch()(context, inst, lanes);
      PendingAccess& pending = TakePending(context);
      pending.inst = &inst;
      pending.mask = lanes;
      pending.destination = context.registers;
      pending.pointers = context.pointers;
    }
    in_space |= context.space == MemorySpace::kShared ? context.in_space : 0;
  });
  if (context.space == MemorySpace::kShared) context.in_space = in_space;
}

void CommitClusterLoad(const PendingAccess& pending) {
  const Inst& inst = *pending.inst;
  const bool is_signed = ptx::IsSigned(inst.type);
  for (uint32_t e = 0; e < inst.vector; ++e) {
    if (inst.elements[e] == kNoSlot) continue;
    for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<size_t>(__builtin_ctz(rest));
      uint64_t value = 0;
      std::memcpy(&value, pending.pointers[i] + size_t{e} * inst.element_bytes, inst.element_bytes);
      if (is_signed) {
        const int unused = 64 - 8 * inst.element_bytes;
        value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
      }
      std::byte* const row = pending.destination + inst.elements[e];
      const size_t lane_bytes = inst.wide_second ? 8 : 4;  // of the destination
      std::memcpy(row + i * lane_bytes, &value, lane_bytes);
    }
  }
}

void CommitClusterArrival(const PendingAccess& pending) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* const clusters = reinterpret_cast<Clusters*>(pending.destination);
  clusters->Arrive(pending.values[0][0], static_cast<uint32_t>(pending.values[1][0]),
                   pending.values[2][0] != 0);
}

}  // namespace flagstone::simt
