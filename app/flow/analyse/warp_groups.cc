#include "app/flow/analyse/warp_groups.h"

#include <algorithm>

#include "analyzer/address/address_analysis.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

std::vector<WarpGroup> WarpGroupsOf(const AddressAnalysis& addresses, const KernelLaunch& launch,
                                    const MachineConfig& machine, const TbSuccession& succession) {
  const CacheConfig& l1 = machine.sm.l1;
  if (l1.global == L1Global::kBypass) return {};
  WarpGroupRequest request = {
      .direction = succession.direction,
      .resident_warps = ComputeOccupancy(machine, launch).tbs_per_sm * launch.WarpsPerTb(),
      .l1_bytes = uint64_t{l1.size_kib} * 1024};
  if (succession.mapping != nullptr) {
    request.reuse_distance =
        std::max(succession.mapping->distance_x, succession.mapping->distance_y);
  }
  std::vector<WarpGroup> groups = FindWarpGroups(addresses, launch, request);
  for (WarpGroup& group : groups) {
    if (group.loop == WarpGroup::kNoLoop) continue;
    const uint32_t pc = addresses.loops[group.loop].header_pc;
    group.line = static_cast<int>(launch.kernel->instructions[pc].location.line);
  }
  return groups;
}

GroupSizes GroupSizesOf(const KernelLaunch& launch, const DeviceMemory& memory,
                        const Policy& policy, const MachineConfig& machine) {
  const AddressAnalysis addresses = AnalyzeAddresses(launch, memory);
  TbSuccession succession = {policy.direction};
  CtaMapping mapping;
  if (policy.maps_ctas) {
    const bool evaluates =
        launch.TbCount() <= kMaxAnalyzedTbs &&
        std::any_of(addresses.accesses.begin(), addresses.accesses.end(), [](const AddressForm& a) {
          return !a.is_store && a.address_class == AddressClass::kDeterministic;
        });
    const Footprints footprints = evaluates ? FindFootprints(addresses, launch) : Footprints();
    // What TBs share weighs nothing here.
    mapping = AnalyzeCtaMapping(addresses, launch, memory, SharerSets(),
                                evaluates ? &footprints : nullptr);
    succession.mapping = &mapping;
    if (policy.needs_direction) succession.direction = mapping.direction;
  }
  GroupSizes sizes;
  for (const WarpGroup& group : WarpGroupsOf(addresses, launch, machine, succession)) {
    if (group.loop == WarpGroup::kNoLoop) {
      sizes.at_launch = group.size;
      continue;
    }
    const bool first = sizes.loops.empty();
    sizes.loops.push_back({addresses.loops[group.loop].header_pc, group.size});
    const bool loads_before =
        std::any_of(addresses.accesses.begin(), addresses.accesses.end(),
                    [](const AddressForm& a) { return !a.is_store && a.loops.empty(); });
    if (first && !loads_before) sizes.at_launch = group.size;
  }
  return sizes;
}

}  // namespace flagstone
