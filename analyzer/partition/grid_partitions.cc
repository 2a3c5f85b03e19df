// The partitioners that go by the grid: a Hilbert curve cut into groups, rectangular tiles, and the
// rows or columns of a CTA mapping.
#include <algorithm>
#include <numeric>

#include "analyzer/partition/grid_order.h"
#include "analyzer/partition/partitioners.h"
#include "analyzer/partition/recursive_bisection.h"

namespace flagstone {

TbGroups PartitionByHilbert(const Dim3& grid, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  groups.steal_enable = true;
  const std::vector<uint32_t> order = partition::HilbertOrder(grid);
  const uint64_t tbs = order.size();
  if (tbs == 0) return groups;
  const uint64_t count = partition::LeafCount(static_cast<uint32_t>(tbs), request);
  groups.groups.reserve(count);
  for (uint64_t g = 0; g < count; ++g) {
    const auto begin = static_cast<std::ptrdiff_t>(g * tbs / count);
    const auto end = static_cast<std::ptrdiff_t>((g + 1) * tbs / count);
    groups.groups.emplace_back(order.begin() + begin, order.begin() + end);
  }
  return groups;
}

TbGroups PartitionByTiles(const Dim3& grid, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  groups.steal_enable = true;
  if (grid.Count() == 0) return groups;
  const auto share = static_cast<uint32_t>((grid.Count() - 1) / request.sms + 1);
  const Dim3 tile = partition::TileShape(grid, std::min(request.tbs_per_sm, share));
  const Dim3 tiles = {(grid.x - 1) / tile.x + 1, (grid.y - 1) / tile.y + 1,
                      (grid.z - 1) / tile.z + 1};
  groups.groups.reserve(tiles.Count());
  // Tiles of an axis differ by at most one TB in extent.
  const auto edge = [](uint32_t i, uint32_t parts, uint32_t extent) {
    return static_cast<uint32_t>(uint64_t{i} * extent / parts);
  };
  for (uint64_t t = 0; t < tiles.Count(); ++t) {
    Dim3 at = TbCoordinates(t, tiles);
    if (at.y % 2 == 1) at.x = tiles.x - 1 - at.x;  // there and back, so that neighbours follow
    std::vector<uint32_t> group;
    for (uint32_t z = edge(at.z, tiles.z, grid.z); z < edge(at.z + 1, tiles.z, grid.z); ++z) {
      for (uint32_t y = edge(at.y, tiles.y, grid.y); y < edge(at.y + 1, tiles.y, grid.y); ++y) {
        for (uint32_t x = edge(at.x, tiles.x, grid.x); x < edge(at.x + 1, tiles.x, grid.x); ++x) {
          group.push_back((z * grid.y + y) * grid.x + x);
        }
      }
    }
    groups.groups.push_back(std::move(group));
  }
  return groups;
}

TbGroups GroupsOfCtaMapping(const Dim3& grid, CtaDirection direction,
                            const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  groups.groups = AssignCtas(grid, request.sms, direction);
  std::erase_if(groups.groups, [](const std::vector<uint32_t>& group) { return group.empty(); });
  return groups;
}

TbGroups GroupsOfChunks(const Dim3& grid, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  const auto tbs = static_cast<uint32_t>(grid.Count());
  groups.groups.resize(std::min(tbs, request.sms));
  const uint32_t share = tbs / request.sms, larger = tbs % request.sms;
  uint32_t next = 0;
  for (uint32_t sm = 0; sm < groups.groups.size(); ++sm) {
    std::vector<uint32_t>& group = groups.groups[sm];
    group.resize(share + (sm < larger ? 1 : 0));
    std::iota(group.begin(), group.end(), next);
    next += static_cast<uint32_t>(group.size());
  }
  return groups;
}

TbGroups GroupsOfRoundRobin(const Dim3& grid, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  const auto tbs = static_cast<uint32_t>(grid.Count());
  const uint64_t wave = uint64_t{request.sms} * request.tbs_per_sm;
  for (uint64_t first = 0; first < tbs; first += wave) {
    for (uint32_t sm = 0; sm < request.sms && first + sm < tbs; ++sm) {
      std::vector<uint32_t>& group = groups.groups.emplace_back();
      for (uint64_t tb = first + sm; tb < std::min<uint64_t>(first + wave, tbs);
           tb += request.sms) {
        group.push_back(static_cast<uint32_t>(tb));
      }
    }
  }
  return groups;
}

}  // namespace flagstone
