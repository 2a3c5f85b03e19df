#include "analyzer/cta_mapping/cta_mapping.h"

#include <algorithm>
#include <map>
#include <vector>

#include "analyzer/cta_mapping/evaluated_reuse.h"
#include "analyzer/cta_mapping/reuse_distance.h"
#include "analyzer/cta_mapping/subscripts.h"

namespace flagstone {
namespace {

uint64_t BaseOf(const std::string& array, const DeviceMemory& memory) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.name == array) return region.address;
  }
  return 0;
}

// All pairs of one array along one direction.
void AddPairs(const std::vector<SubscriptedAccess>& accesses, ReuseDistance& distance,
              CtaMapping& mapping) {
  for (const SubscriptedAccess& first : accesses) {
    for (const SubscriptedAccess& second : accesses) {
      if (distance.IsLargest()) return;
      ++mapping.pairs;
      if (!distance.Add(first, second)) ++mapping.unsolved_pairs;
    }
  }
}

}  // namespace

CtaDirection DirectionOf(int64_t distance_x, int64_t distance_y) {
  if (distance_x == 0 && distance_y == 0) return CtaDirection::kRoundRobin;
  return distance_y > distance_x ? CtaDirection::kY : CtaDirection::kX;
}

void SumWeights(const SharerSets& sharers, const Dim3& grid, CtaMapping& mapping) {
  const auto all = sharers.shared_by_all;
  mapping.weight_x = grid.x > 1 ? all : 0;
  mapping.weight_y = uint64_t{grid.y} * grid.z > 1 ? all : 0;
  std::vector<uint32_t> rows;
  std::vector<uint32_t> columns;
  const auto repeats = [](std::vector<uint32_t>& values) {
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) != values.end();
  };
  for (const SharerFamily& family : sharers.families) {
    if (family.size < 2) continue;
    rows.clear();
    columns.clear();
    for (const uint32_t offset : sharers.Offsets(family)) {
      const uint32_t tb = family.anchor + offset;
      rows.push_back(tb / grid.x);
      columns.push_back(tb % grid.x);
    }
    const uint64_t units = family.weight * family.Sets();
    if (repeats(rows)) mapping.weight_x += units;
    if (repeats(columns)) mapping.weight_y += units;
  }
}

CtaMapping AnalyzeCtaMapping(const AddressAnalysis& analysis, const KernelLaunch& launch,
                             const DeviceMemory& memory, const SharerSets& sharers,
                             const Footprints* footprints, uint64_t block_bytes) {
  CtaMapping mapping;
  std::map<std::string, std::vector<const AddressForm*>> by_array;
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.address_class != AddressClass::kAffine) continue;
    by_array[access.array].push_back(&access);
  }
  ReuseDistance along_x(CtaDirection::kX, analysis, launch, block_bytes);
  ReuseDistance along_y(CtaDirection::kY, analysis, launch, block_bytes);
  for (const auto& [array, accesses] : by_array) {
    const std::vector<Subscripts> subscripts =
        Delinearise(accesses, BaseOf(array, memory), analysis, launch, block_bytes);
    std::vector<SubscriptedAccess> pairs;
    for (size_t a = 0; a < accesses.size(); ++a) pairs.push_back({accesses[a], &subscripts[a]});
    AddPairs(pairs, along_x, mapping);
    AddPairs(pairs, along_y, mapping);
  }
  const EvaluatedReuse evaluated =
      FindEvaluatedReuse(analysis, launch, footprints, block_bytes, mapping.left_out);
  mapping.distance_x = std::max(along_x.At(launch.grid), evaluated.distance_x);
  mapping.distance_y = std::max(along_y.At(launch.grid), evaluated.distance_y);
  mapping.symbolic_x = along_x.ToString();
  mapping.symbolic_y = along_y.ToString();
  mapping.direction = DirectionOf(mapping.distance_x, mapping.distance_y);
  SumWeights(sharers, launch.grid, mapping);
  return mapping;
}

}  // namespace flagstone
