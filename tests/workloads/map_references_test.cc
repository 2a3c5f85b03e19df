// The CPU references of the CTA-mapping, coalescing and LADM workloads, each on a case small enough
// to be worked out by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/workloads/reference_case.h"

namespace flagstone {
namespace {

TEST(MapReferences, MicroKernelsCopyFromTheirLocations) {
  const Workload workload = Demo(Iota("in", 65, 100) + Iota("out", 3, 0, 0), "'in', 'out'");
  const auto out = [&](const char* name) { return Result(workload, Named(name), "out"); };
  EXPECT_EQ(out("stride_32"), (std::vector<float>{100, 132, 164}));
  EXPECT_EQ(out("stride_4"), (std::vector<float>{100, 104, 108}));
  EXPECT_EQ(out("same_location"), (std::vector<float>{100, 100, 100}));
  EXPECT_EQ(out("coalescing"), (std::vector<float>{100, 101, 102}));
}

}  // namespace
}  // namespace flagstone
