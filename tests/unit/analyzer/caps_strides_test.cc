// The strides that CAPS's section IV reads off LPS's loads, on our laplace3d.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace caps_strides_test {

TEST(CapsStrides, LaplacesWarpsLie400BytesApartAndTbs00And33Lie5184) {
  const Workload workload = Workload::Load(FindWorkload("laplace3d"), "paper");
  const BoundWorkload bound = Bind(workload);
  const AddressAnalysis analysis = AnalyzeAddresses(bound.launches.at(0), bound.memory);
  int affine_loads = 0;
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.pattern != AddressClass::kAffine) continue;
    ++affine_loads;
    // A warp is a row of the TB: warp y has threads (0..31, y).
    EXPECT_EQ(access.form.tid[0], 4);
    EXPECT_EQ(access.form.tid[1], 400);
    EXPECT_EQ(3 * access.form.ctaid[0] + 3 * access.form.ctaid[1], 5184);
  }
  EXPECT_EQ(affine_loads, 2) << "the first plane and the next ones; the rim's are not affine";
}

}  // namespace caps_strides_test
}  // namespace flagstone
