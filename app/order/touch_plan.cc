#include "app/order/touch_plan.h"

#include "app/order/touch_atoms.h"
#include "app/order/touch_pieces.h"

namespace flagstone {

void TouchPlan::FindTouched() {
  for (size_t at = 0; at < size_t{tbs} * parts; ++at) {
    touched_begin.push_back(touched.size());
    for (uint32_t g = 0; g < groups.size(); ++g) {
      const uint32_t piece = groups[g].piece_of[at];
      if (piece != kNoPiece) touched.push_back({g, piece});
    }
  }
  touched_begin.push_back(touched.size());
}

TouchPlan PlanTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                      const TouchRequest& request) {
  TouchRequest asked = request;
  RequestsOfAccess requests;
  if (asked.requests == nullptr) {
    requests = FindWarpRequests(addresses, launch);
    asked.requests = &requests;
  }
  TouchPlan plan;
  plan.tbs = static_cast<uint32_t>(launch.TbCount());
  plan.parts = request.parts;
  const order::TouchPieces pieces(addresses, launch, asked, &plan);
  order::FindAtoms(pieces, asked, &plan);
  plan.FindTouched();
  return plan;
}

}  // namespace flagstone
