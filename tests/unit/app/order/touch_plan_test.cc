// What TBs touch by the plan, beside their footprints.
#include "app/order/touch_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace touch_plan_test {

// Addresses of the first are affine, those of the second have to be evaluated.
TEST(PlanTouches, OfSomeTbsHasNoPiecesOfOthers) {
  for (const char* name : {"matmul", "hotspot3d"}) {
    const Workload workload = Workload::Load(FindWorkload(name), "paper");
    const BoundWorkload bound = BindAddresses(workload);
    const KernelLaunch& launch = bound.launches[0];
    TouchRequest request;
    request.tbs = {1, 5};
    const TouchPlan plan = PlanTouches(AnalyzeAddresses(launch, bound.memory), launch, request);
    std::vector<uint32_t> pieces(plan.tbs);
    for (const TouchPlan::Group& group : plan.groups) {
      for (uint32_t tb = 0; tb < plan.tbs; ++tb) {
        pieces[tb] += group.piece_of[tb] != TouchPlan::kNoPiece ? 1U : 0U;
      }
    }
    for (uint32_t tb = 0; tb < plan.tbs; ++tb) {
      EXPECT_EQ(pieces[tb] > 0, tb == 1 || tb == 5) << name << " " << tb;
    }
  }
}

// Of all sectors that a TB loads or stores, each once.
uint64_t BytesInSectors(const AddressAnalysis& addresses, const KernelLaunch& launch, uint32_t tb) {
  constexpr int64_t kSector = 32;
  std::set<int64_t> sectors;
  for (const AccessKind kind : {AccessKind::kLoads, AccessKind::kStores}) {
    FootprintRequest request;
    request.kind = kind;
    for (const ArrayFootprints& array : FindFootprints(addresses, launch, request).arrays) {
      for (const Range& range : BytesOf(array, tb)) {
        for (int64_t s = range.begin / kSector; s * kSector < range.end; ++s) sectors.insert(s);
      }
    }
  }
  return sectors.size() * kSector;
}

// Of TBs at the borders, in corners and inside.
TEST(PlanTouches, HasTheSectorsOfEachTbOfAFieldThatEnds) {
  const Workload workload = Workload::Load(FindWorkload("hotspot3d"), "test");
  const BoundWorkload bound = BindAddresses(workload);
  const KernelLaunch& launch = bound.launches[0];
  const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
  TouchRequest request;
  request.parts = 2;
  const TouchPlan plan = PlanTouches(addresses, launch, request);
  ASSERT_EQ(plan.scale, 1U);
  for (uint32_t tb = 0; tb < plan.tbs; ++tb) {
    std::set<uint32_t> atoms;
    for (const TouchPlan::Group& group : plan.groups) {
      for (uint32_t part = 0; part < plan.parts; ++part) {
        const uint32_t piece = group.piece_of[tb * plan.parts + part];
        for (uint32_t s = 0; s < group.steps && piece != TouchPlan::kNoPiece; ++s) {
          const auto of_step = plan.AtomsOf(piece, s);
          atoms.insert(of_step.begin(), of_step.end());
        }
      }
    }
    uint64_t bytes = 0;
    for (const uint32_t atom : atoms) bytes += plan.atoms[atom].bytes;
    EXPECT_EQ(bytes, BytesInSectors(addresses, launch, tb)) << tb;
  }
}

}  // namespace touch_plan_test
}  // namespace flagstone
