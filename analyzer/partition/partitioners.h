// The partitioners, each of which makes TB groups of a launch, and the figures that judge groups.
#ifndef FLAGSTONE_ANALYZER_PARTITION_PARTITIONERS_H_
#define FLAGSTONE_ANALYZER_PARTITION_PARTITIONERS_H_

#include <cstdint>
#include <vector>

#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/locality/locality_graph.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// How many leaves recursive bisection ends with: as many as hold all TBs, or as many for each SM,
// where there are TBs enough, so that no SM is left without one in the end.
enum class LeafCounts : uint8_t { kFit, kEven };
// In which order they are handed out: as they stand in the tree, or by their lowest TBs. SMs then
// work side by side in a grid, and in the rows of DRAM that it lies in.
enum class LeafOrder : uint8_t { kTree, kIds };

struct PartitionRequest {
  uint32_t sms = 0;         // S, at least 1
  uint32_t tbs_per_sm = 0;  // x, the occupancy, at least 1
  uint64_t seed = 1;
  LeafCounts leaves = LeafCounts::kFit;  // of PartitionByRecursiveBisection alone
  LeafOrder order = LeafOrder::kTree;    // likewise
};

// The partitioners: n TBs -> groups, none empty. The same graph and request give the same groups.
// `universal_weight` plays no part: it is the same on every pair. They throw kInternal for a
// request without SMs or occupancy, kBadInput for a graph beyond METIS's 32-bit counts.

// Recursive bisection (PAVER, section 4.3 and Algorithm 1): leaves of at most x TBs, in
// left-to-right tree order, max(ceil(n / x), min(n, S)) of them, TBs of a leaf in Prim order.
// Leaf sizes differ by at most one. Stealing is on. `leaves` and `order` are not PAVER's.
TbGroups PartitionByRecursiveBisection(const LocalityGraph& graph, const PartitionRequest& request);

// The same with Algorithm 1's condition taken literally: a part is halved until it holds *fewer*
// than x TBs (one TB if x is 1, where the literal condition would never hold). Leaves are half as
// large as they could be where x is a power of two.
TbGroups PartitionByStrictBisection(const LocalityGraph& graph, const PartitionRequest& request);

// Maximum spanning tree (PAVER, section 4.1): Prim order over all TBs, cut into S groups of
// min(x, ceil(n / S)) TBs (fewer where the TBs end), then groups of one. Stealing is off.
TbGroups PartitionByMst(const LocalityGraph& graph, const PartitionRequest& request);

// k-way (PAVER, section 4.2): min(n, S) parts whose sizes differ by at most one, in the order of
// their lowest TB, TBs of a part in Prim order. Parts may be larger than x. Stealing is on.
TbGroups PartitionByKway(const LocalityGraph& graph, const PartitionRequest& request);

// The same parts by recursive bisection in place of METIS's k-way method.
TbGroups PartitionByBisection(const LocalityGraph& graph, const PartitionRequest& request);

// By the grid alone, stealing on. Hilbert: TBs along a Hilbert curve, cut into as many groups as
// recursive bisection has, whose sizes differ by at most one. Tiles: boxes of the shape that
// TileShape (grid_order.h) gives for min(x, ceil(n / S)) TBs; those of an axis differ by at most
// one in extent. A tile after its neighbour, there and back.
TbGroups PartitionByHilbert(const Dim3& grid, const PartitionRequest& request);
TbGroups PartitionByTiles(const Dim3& grid, const PartitionRequest& request);

// Groups of at most x TBs that together read as few distinct data as possible: the *union* of what
// runs at once, which L1 has to be filled with, in place of the pair weights that bisection goes
// by. Starts from tiles, the Hilbert curve or bisection, whichever is best, and refines by swaps
// (union_refinement.h). Needs no graph. Stealing is on.
TbGroups PartitionByTraffic(const Dim3& grid, const SharerSets& sharers,
                            const PartitionRequest& request);

// The TBs that each SM gets under a CTA mapping, as one group for each SM that gets any, which may
// be larger than x. Stealing is off: the mapping is fixed.
TbGroups GroupsOfCtaMapping(const Dim3& grid, CtaDirection direction,
                            const PartitionRequest& request);

// The TBs that each SM gets where it gets one contiguous part of the grid: min(n, S) groups, whose
// sizes differ by at most one, the larger ones first. Stealing is off, as with a CTA mapping.
TbGroups GroupsOfChunks(const Dim3& grid, const PartitionRequest& request);

// What loose round-robin runs at once, for comparison: wave after wave, SM s gets TBs s, s + S, ...
TbGroups GroupsOfRoundRobin(const Dim3& grid, const PartitionRequest& request);

// Maximum-spanning-tree insertion order (Prim) of `members`: starts at the lowest id; ties and new
// components go to the lowest id. Edges to TBs outside `members` do not count.
std::vector<uint32_t> PrimOrder(const LocalityGraph& graph, std::vector<uint32_t> members);

// Share of the total edge weight that lies inside groups, 0 to 1; 1 for a graph without edges.
double KeptWeight(const LocalityGraph& graph, const TbGroups& groups);
// The same from the sharer sets, where the graph would be large.
double KeptWeight(const SharerSets& sharers, const TbGroups& groups);

// Sum over groups of the distinct units each reads, divided by the sum over TBs: the footprint
// that is left when the TBs of a group share perfectly. 1 = nothing shared.
double UnionRatio(const SharerSets& sharers, const TbGroups& groups);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PARTITION_PARTITIONERS_H_
