#include "app/flow/analyse/group_touches.h"

#include <algorithm>

namespace flagstone {
namespace {

// The steps of the loops that are looked at, so that all TBs together have not many more of them.
uint32_t StepsOf(uint64_t tbs) {
  constexpr uint64_t kSteps = 100'000;
  return static_cast<uint32_t>(std::clamp<uint64_t>(kSteps / tbs, 4, 256));
}

}  // namespace

TouchPlan PlanGroupTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                           const RequestsOfAccess& requests, const KnownAccesses* known,
                           const MachineConfig& machine) {
  TouchRequest touches;
  touches.requests = &requests;
  touches.unit_bytes = machine.sm.l1.sector_bytes;
  touches.most_steps = StepsOf(launch.TbCount());
  touches.known = known;
  return PlanTouches(addresses, launch, touches);
}

}  // namespace flagstone
