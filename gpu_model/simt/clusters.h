// The clusters of a launch: whose shared memory each TB can reach, and the barrier of each cluster
// (PTX ISA, sections 5.1.2 and 9.7.13.4).
//
// An address in the shared memory of another TB of the cluster has that TB's rank plus one above
// its lower 24 bits; without a rank it is one's own. TBs of a cluster may run on several SMs, which
// other host threads simulate: what one does to another is done when its SM commits.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_CLUSTERS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_CLUSTERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu_model/simt/code.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::simt {

inline constexpr int kRankShift = 24;
inline constexpr uint32_t kMaxClusterTbs = 16;

// Where a TB stands.
struct ClusterPlace {
  Dim3 cluster;  // among the grid's
  Dim3 within;   // the TB in its cluster
  uint32_t rank = 0;
  uint64_t index = 0;  // of the cluster, x fastest
};
ClusterPlace PlaceInCluster(uint64_t tb, const Dim3& grid, const Dim3& cluster);
// The TB of a rank in the same cluster.
uint64_t PeerOf(uint64_t tb, uint32_t rank, const Dim3& grid, const Dim3& cluster);
// TBs cluster by cluster; empty where that is their own order.
std::vector<uint32_t> ClusterOrder(const Dim3& grid, const Dim3& cluster);

struct Clusters {
  explicit Clusters(const KernelLaunch& launch);

  struct Barrier {
    uint32_t expected = 0;  // threads that have not exited
    uint32_t arrived = 0;
    uint32_t phase = 0;
  };
  // Threads come to the barrier, or leave for good.
  void Arrive(uint64_t cluster, uint32_t threads, bool exit);

  Dim3 grid, shape;
  uint64_t shared_bytes = 0;
  std::vector<std::atomic<std::byte*>> shared;  // by TB; null until it starts
  std::vector<Barrier> barriers;                // by cluster
};

// mapa and getctarank, with clusters of one TB too.
Handler SelectClusterAddress(const ptx::Instruction& instruction);
// An access whose lanes may go to other TBs: `inst.inner` makes it in one TB's memory. A load takes
// its values at the next commit.
void AccessCluster(Context& context, const Inst& inst, LaneMask mask);
void LoadFromCluster(Context& context, const Inst& inst, LaneMask mask);
void CommitClusterLoad(const PendingAccess& pending);
void CommitClusterArrival(const PendingAccess& pending);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_CLUSTERS_H_
