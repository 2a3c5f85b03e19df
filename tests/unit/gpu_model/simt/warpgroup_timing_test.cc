// What the timing model knows of wgmma: the work of a warp, and which products a wait waits for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/warpgroup_kernel.h"

namespace flagstone {
namespace warpgroup_timing_test {

constexpr uint32_t kBody = 6;  // instructions before the body

std::string List(const char* name, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + (name + std::to_string(i));
  return text + "}";
}

uint32_t WorkOf(const std::string& shape, int sums, const std::string& rest) {
  KernelRun run = WarpgroupRun(".reg .b32 %s<128>;\nwgmma.mma_async.sync.aligned." + shape + " " +
                               List("%s", sums) + ", %rd2, %rd3, 1" + rest + ";\n");
  const Program program(run.launch());
  EXPECT_EQ(program.info(kBody).pipe, Pipe::kTensor);
  return program.info(kBody).tensor_work;
}

TEST(WarpgroupTiming, AProductIsTheMmasOfAWarpsRows) {
  EXPECT_EQ(WorkOf("m64n8k16.f32.f16.f16", 4, ", 1, 1, 0, 0"), 16U);
  EXPECT_EQ(WorkOf("m64n256k16.f16.f16.f16", 64, ", 1, 1, 0, 0"), 512U);
  EXPECT_EQ(WorkOf("m64n8k8.f32.tf32.tf32", 4, ", 1, 1"), 16U);
  EXPECT_EQ(WorkOf("m64n16k32.s32.s8.u8", 8, ""), 32U);
  EXPECT_EQ(WorkOf("m64n8k32.f16.e4m3.e5m2", 2, ", 1, 1"), 16U);
  EXPECT_EQ(WorkOf("m64n8k256.s32.b1.b1.and.popc", 4, ""), 16U);
}

// Whether the wait at `wait` of the body has the product at `product` among its sources.
bool WaitsFor(const std::string& body, uint32_t wait, uint32_t product) {
  KernelRun run = WarpgroupRun(body);
  const Program program(run.launch());
  const InstructionInfo& waits = program.info(kBody + wait);
  const InstructionInfo& writes = program.info(kBody + product);
  EXPECT_EQ(writes.destination_count, 1) << body;
  const auto end = waits.sources.begin() + waits.source_count;
  return std::find(waits.sources.begin(), end, writes.destinations[0]) != end;
}

TEST(WarpgroupTiming, AWaitHasTheProductsOfItsGroupsAmongItsSources) {
  const std::string groups = WarpgroupProduct(1) + kCommit + WarpgroupProduct(5) + kCommit;
  EXPECT_TRUE(WaitsFor(groups + WaitGroup(0), 4, 0));
  EXPECT_TRUE(WaitsFor(groups + WaitGroup(0), 4, 2));
  EXPECT_TRUE(WaitsFor(groups + WaitGroup(1), 4, 0));
  EXPECT_FALSE(WaitsFor(groups + WaitGroup(1), 4, 2));
  EXPECT_FALSE(WaitsFor(groups + WaitGroup(2), 4, 0));
  EXPECT_FALSE(WaitsFor(WarpgroupProduct(1) + WaitGroup(0), 1, 0));
}

TEST(WarpgroupTiming, AWaitBeforeTheProductOfItsLoopWaitsForIt) {
  const std::string rest = "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 4;\n@%p1 bra LOOP;\n";
  EXPECT_TRUE(WaitsFor(
      "mov.u32 %r4, 0;\nLOOP: " + WaitGroup(0) + WarpgroupProduct() + kCommit + rest, 1, 2));
  // Of the group before the one at hand: the product has waited for itself.
  EXPECT_FALSE(WaitsFor(
      "mov.u32 %r4, 0;\nLOOP: " + WarpgroupProduct() + kCommit + WaitGroup(1) + rest, 3, 1));
}

TEST(WarpgroupTiming, CopiesAreNotWaitedForWithProducts) {
  KernelRun run = WarpgroupRun(WarpgroupProduct() +
                               "cp.async.ca.shared.global [%r3], [%rd1], 4;\ncp.async.wait_all;\n");
  const Program program(run.launch());
  ASSERT_EQ(program.info(kBody + 2).source_count, 1);
  EXPECT_NE(program.info(kBody + 2).sources[0], program.info(kBody).destinations[0]);
}

// A slice times a product that no address hangs on, and makes one that an address hangs on.
TEST(WarpgroupTiming, ASliceMakesTheProductsThatAnAddressHangsOn) {
  const std::string product = WarpgroupProduct() + kCommit + WaitGroup(0);
  const auto needed = [&](const std::string& rest) {
    KernelRun run = WarpgroupRun("st.shared.u32 [room], %r1;\n" + product + rest);
    KernelLaunch launch = run.launch();
    return FindNeededValues({&launch, 1}, run.memory(), {}).at(0);
  };
  const std::vector<bool> stored = needed("st.global.f32 [%rd1], %f1;\n");
  EXPECT_FALSE(stored[kBody]);
  EXPECT_FALSE(stored[kBody + 1]);
  EXPECT_TRUE(stored[kBody + 2] && stored[kBody + 3]);
  const std::vector<bool> addressed =
      needed("cvt.rzi.u64.f32 %rd4, %f1;\nadd.u64 %rd4, %rd4, %rd1;\nst.global.f32 [%rd4], %f1;\n");
  EXPECT_TRUE(addressed[kBody] && addressed[kBody + 1]);
}

}  // namespace warpgroup_timing_test
}  // namespace flagstone
