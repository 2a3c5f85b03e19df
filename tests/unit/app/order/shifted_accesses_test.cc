// Accesses that are evaluated in a few TBs, beside those of every TB.
#include "app/order/shifted_accesses.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/locality/byte_set.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone::order {
namespace shifted_accesses_test {

AddressAnalysis Deterministic(const AddressAnalysis& all) {
  AddressAnalysis some = {all.loops, {}};
  for (const AddressForm& access : all.accesses) {
    if (access.address_class == AddressClass::kDeterministic) some.accesses.push_back(access);
  }
  return some;
}

// Bytes that groups say a TB touches, in whatever step and part.
std::vector<Range> BytesOfGroups(const ShiftedAccesses& shifted, const Dim3& tb, bool stores) {
  std::vector<Range> bytes;
  for (const ShiftedGroup& group : shifted.groups) {
    if (group.is_store != stores || !group.tbs.Contains({tb.x, tb.y, tb.z})) continue;
    for (const std::vector<Range>& ranges : group.ranges) {
      for (const Range& range : ranges) {
        bytes.push_back({range.begin + group.BaseAt(tb), range.end + group.BaseAt(tb)});
      }
    }
  }
  Normalize(bytes);
  return bytes;
}

void ExpectBytesOfEachTb(const AddressAnalysis& addresses, const KernelLaunch& launch) {
  const auto shifted = FindShiftedAccesses(addresses, launch, 1, 0, 4, 32);
  ASSERT_TRUE(shifted.has_value());
  for (const bool stores : {false, true}) {
    FootprintRequest request;
    request.kind = stores ? AccessKind::kStores : AccessKind::kLoads;
    const Footprints exact = FindFootprints(Deterministic(addresses), launch, request);
    for (uint32_t tb = 0; tb < launch.TbCount(); ++tb) {
      std::vector<Range> bytes;
      for (const ArrayFootprints& array : exact.arrays) {
        const std::vector<Range> of_array = BytesOf(array, tb);
        bytes.insert(bytes.end(), of_array.begin(), of_array.end());
      }
      Normalize(bytes);
      ASSERT_EQ(BytesOfGroups(*shifted, TbCoordinates(tb, launch.grid), stores), bytes)
          << launch.kernel->name << ", TB " << tb;
    }
  }
}

void ExpectBytesOfEachTbOf(const std::string& workload) {
  const Workload loaded = Workload::Load(FindWorkload(workload), "test");
  const BoundWorkload bound = Bind(loaded);
  for (const KernelLaunch& launch : bound.launches) {
    const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
    if (Deterministic(addresses).accesses.empty()) continue;
    ExpectBytesOfEachTb(addresses, launch);
  }
}

TEST(ShiftedAccesses, AreThoseOfEachTbWhereItsThreadsHaveAPlaceByQuotient) {
  ExpectBytesOfEachTbOf("gemm_tiled");
}

TEST(ShiftedAccesses, AreThoseOfEachTbOfAFieldThatEnds) {
  ExpectBytesOfEachTbOf("hotspot3d");
  ExpectBytesOfEachTbOf("laplace3d");
}

// Warp 1 alone loads, from where the TB's square says: no axis tells how far that is.
constexpr char kSquare[] =
    "setp.lt.u32 %p1, %r3, 32; @%p1 bra done; mul.lo.u32 %r10, %r4, %r4; "
    "mad.lo.u32 %r10, %r10, 64, %r3; mul.wide.u32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
    "ld.global.f32 %f1, [%rd11]; done: ret;";

TEST(ShiftedAccesses, AreShiftedByWhatEachCoordinateSaysWhereNoProportionDoes) {
  const KernelUnderAnalysis kernel(kSquare, {20, 1, 1}, {64, 1, 1}, 0, 0, uint64_t{1} << 20);
  const AddressAnalysis addresses = kernel.Analyze();
  ASSERT_FALSE(Deterministic(addresses).accesses.empty());
  ExpectBytesOfEachTb(addresses, kernel.launch());
}

bool AreFoundIn(const std::string& body, const Dim3& grid) {
  const KernelUnderAnalysis kernel(body, grid, {32, 1, 1}, 0, 0, uint64_t{1} << 22);
  const AddressAnalysis addresses = kernel.Analyze();
  EXPECT_FALSE(Deterministic(addresses).accesses.empty());
  return FindShiftedAccesses(addresses, kernel.launch(), 1, 0, 4, 32).has_value();
}

constexpr char kLoadAtR12[] =
    "mul.wide.u32 %rd10, %r12, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;";

TEST(ShiftedAccesses, AreNoneWhereOtherLanesLoadInSomeInnerTbs) {
  EXPECT_FALSE(AreFoundIn(std::string("and.b32 %r10, %r4, 1; and.b32 %r11, %r3, %r10; "
                                      "setp.ne.u32 %p1, %r11, 0; @%p1 ret; "
                                      "mul.lo.u32 %r12, %r6, %r6; ") +
                              kLoadAtR12,
                          {16, 1, 1}));
}

TEST(ShiftedAccesses, AreNoneWhereLanesAreFurtherApartInSomeInnerTbs) {
  EXPECT_FALSE(AreFoundIn(
      std::string("and.b32 %r10, %r4, 1; mad.lo.u32 %r12, %r3, %r10, %r3; ") + kLoadAtR12,
      {16, 1, 1}));
}

TEST(ShiftedAccesses, AreNoneWhereWhatTheAxesSayDoesNotAddUp) {
  EXPECT_FALSE(AreFoundIn(
      std::string("mul.lo.u32 %r10, %r4, %r8; mad.lo.u32 %r12, %r10, 32, %r3; ") + kLoadAtR12,
      {16, 16, 1}));
}

}  // namespace shifted_accesses_test
}  // namespace flagstone::order
