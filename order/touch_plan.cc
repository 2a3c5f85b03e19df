#include "order/touch_plan.h"

#include <algorithm>

#include "order/touch_atoms.h"
#include "order/touch_pieces.h"

namespace flagstone {

void TouchPlan::FindTouches() {
  std::vector<uint32_t> first_of_group;
  uint32_t all_steps = 0;
  for (const Group& group : groups) {
    first_of_group.push_back(all_steps);
    all_steps += group.steps;
  }
  touches_begin.assign(steps + 1, 0);  // of those that touch nothing
  part_begin.assign(size_t{tbs} * parts, 0);
  for (size_t at = 0; at < part_begin.size(); ++at) {
    const auto touches_any = [&](const Group& group) { return group.piece_of[at] != kNoPiece; };
    if (std::none_of(groups.begin(), groups.end(), touches_any)) continue;
    part_begin[at] = touches_begin.size();
    for (uint32_t step = 0; step < steps; ++step) {
      touches_begin.push_back(touches.size());
      for (uint32_t g = 0; g < groups.size(); ++g) {
        const uint32_t piece = groups[g].piece_of[at], in_group = step - groups[g].first_step;
        if (piece == kNoPiece || in_group >= groups[g].steps) continue;
        for (const uint32_t atom : AtomsOf(piece, in_group)) {
          touches.push_back(
              {atom, atoms[atom].bytes, first_of_group[g] + in_group, atoms[atom].once});
        }
      }
    }
    touches_begin.push_back(touches.size());
  }
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
  plan.FindTouches();
  return plan;
}

}  // namespace flagstone
