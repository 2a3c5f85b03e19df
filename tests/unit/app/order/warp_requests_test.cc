// What a warp's access asks for, where the whole TB may make one bulk copy.
#include "app/order/warp_requests.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace warp_requests_test {

WarpRequests Only(const std::string& body) {
  const KernelUnderAnalysis kernel(body + " ret;", {4, 1, 1}, {64, 1, 1});
  const RequestsOfAccess requests = FindWarpRequests(kernel.Analyze(), kernel.launch());
  EXPECT_EQ(requests.size(), 1U);
  return requests.begin()->second;
}

TEST(WarpRequests, OfALoadAreTheLinesAndSectorsOfItsLanes) {
  const WarpRequests requests =
      Only("mul.wide.s32 %rd10, %r6, 8; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];");
  EXPECT_EQ(requests.lines, 2);
  EXPECT_EQ(requests.sectors, 8);
}

// 512 bytes that one of two warps brings.
TEST(WarpRequests, OfABulkCopyAreTheMeanOfAllWarps) {
  const WarpRequests requests = Only(
      "mov.u32 %r22, tile; mul.wide.s32 %rd10, %r4, 512; add.s64 %rd11, %rd1, %rd10; "
      "setp.eq.u32 %p1, %r3, 0; @%p1 "
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r22], [%rd11], 512, "
      "[%r22];");
  EXPECT_EQ(requests.lines, 2);
  EXPECT_EQ(requests.sectors, 8);
}

}  // namespace warp_requests_test
}  // namespace flagstone
