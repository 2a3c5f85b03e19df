// Addresses found by executing on known data: equal to what an observer of the execution sees, and
// as good as analysed ones further on.
#include "app/flow/analyse/known_data.h"

#include <gtest/gtest.h>

#include "kernels/launch/workload.h"
#include "tests/unit/analyzer/executed_accesses.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace known_data_test {

struct Case {
  Workload workload = Workload::Load(FindWorkload("spmv"), "test");
  BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
};

TEST(ExecuteForAddresses, FindsWhatEachTbReadsByLoadsThatAreNotAffine) {
  Case spmv;
  DeviceMemory data = spmv.bound.memory;
  const KnownAccesses known = ExecuteForAddresses(spmv.addresses, spmv.launch, &data, true);
  const ExecutedAccesses executed = RunAndRecord(spmv.launch, &spmv.bound.memory);
  // By array and TB, all executed addresses of these loads.
  std::map<std::pair<std::string, uint32_t>, std::set<uint64_t>> expected;
  for (const uint32_t pc : known.pcs) {
    for (uint32_t tb = 0; tb < spmv.launch.TbCount(); ++tb) {
      const auto found = executed.find({pc, tb});
      if (found == executed.end()) continue;
      for (const uint64_t address : found->second) {
        expected[{data.Find(address, 4)->name, tb}].insert(address);
      }
    }
  }
  size_t compared = 0;
  for (const KnownAccesses::Array& array : known.arrays) {
    for (const KnownAccesses::Tb& tb : array.tbs) {
      ++compared;
      const std::set<uint64_t>& addresses = expected.at({array.array, tb.tb});
      EXPECT_EQ(UnitsOf(tb.bytes, 4), UnitsOf(addresses, 4, 4)) << array.array << " TB " << tb.tb;
      ASSERT_EQ(tb.warps.size(), spmv.launch.WarpsPerTb());
      std::vector<Range> all;
      for (const auto& warp : tb.warps) all.insert(all.end(), warp.begin(), warp.end());
      Normalize(all);
      EXPECT_EQ(all, tb.bytes);
    }
  }
  EXPECT_EQ(compared, expected.size());
  EXPECT_GT(compared, 30U);
}

TEST(ExecuteForAddresses, CompletesTheFootprints) {
  Case spmv;
  const Footprints without = FindFootprints(spmv.addresses, spmv.launch);
  EXPECT_FALSE(without.skipped.empty());
  const KnownAccesses known =
      ExecuteForAddresses(spmv.addresses, spmv.launch, &spmv.bound.memory, false);
  const Footprints with = FindFootprints(spmv.addresses, spmv.launch, {.known = &known});
  EXPECT_TRUE(with.skipped.empty());
  const SharerSets sharers = FindSharers(with, Granularity::kElement);
  // Every element of x in a band around the diagonal is read, and some by two TBs.
  EXPECT_GT(sharers.total_references, FindSharers(without, Granularity::kElement).total_references);
  EXPECT_GT(Summarize(sharers).edges, Summarize(FindSharers(without, Granularity::kElement)).edges);
}

// What ids decide is evaluated, and known already: counted once, by either way.
TEST(ExecuteForAddresses, RecordsOnlyWhatTheAnalysisLeavesOut) {
  const Workload workload = Workload::Load(FindWorkload("gemm_tiled"), "test");
  BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
  ASSERT_TRUE(std::any_of(
      addresses.accesses.begin(), addresses.accesses.end(), [](const AddressForm& access) {
        return !access.is_store && access.address_class == AddressClass::kDeterministic;
      }));
  const KnownAccesses known = ExecuteForAddresses(addresses, launch, &bound.memory, false);
  EXPECT_TRUE(known.pcs.empty());
  EXPECT_TRUE(known.arrays.empty());
}

TEST(ExecuteForAddresses, LetsAnotherHearOfAllSteps) {
  Case spmv;
  uint64_t steps = 0;
  const auto count = [](void* context, uint64_t, uint32_t, const StepResult&) {
    ++*static_cast<uint64_t*>(context);
  };
  ExecuteForAddresses(spmv.addresses, spmv.launch, &spmv.bound.memory, false, {}, {count, &steps});
  BoundWorkload again = Bind(spmv.workload);
  EXPECT_EQ(steps, RunFunctionally(again.launches.at(0), &again.memory).warp_instructions);
}

// A bulk copy whose size comes from memory: 0 in TB 0, then 96 bytes more from TB to TB.
TEST(ExecuteForAddresses, FindsTheSectorsOfCopiesOfUnknownSize) {
  KernelRun run = KernelRun::FromText(
      KernelText(
          ".param .u64 a, .param .u64 sizes",
          ".shared .align 16 .b8 tile[512];\n.shared .align 8 .b64 bar;\n"
          "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [sizes];\nmov.u32 %r1, %ctaid.x;\n"
          "mov.u32 %r2, %tid.x;\nsetp.ne.u32 %p1, %r2, 3;\n@%p1 ret;\n"
          "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd2, %rd3;\n"
          "ld.global.u32 %r3, [%rd3];\nmbarrier.init.shared.b64 [bar], 1;\n"
          "mul.wide.u32 %rd4, %r1, 512;\nadd.s64 %rd4, %rd1, %rd4;\n"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd4], "
          "%r3, [bar];\nret;"),
      {4, 1, 1});
  run.Buffer("a", std::vector<uint8_t>(2048))
      .Buffer("sizes", std::vector<uint32_t>{0, 96, 192, 288});
  const AddressAnalysis addresses = AnalyzeAddresses(run.launch(), run.memory());
  const KnownAccesses known = ExecuteForAddresses(addresses, run.launch(), &run.memory(), false);
  ASSERT_EQ(known.pcs.size(), 1U);
  ASSERT_EQ(known.arrays.size(), 1U);
  const auto base = static_cast<int64_t>(run.memory().Named("a").address);
  ASSERT_EQ(known.arrays[0].tbs.size(), 3U);
  for (const KnownAccesses::Tb& tb : known.arrays[0].tbs) {
    EXPECT_EQ(tb.bytes, (std::vector<Range>{{base + 512 * tb.tb, base + 608 * tb.tb}}));
  }
  const Footprints footprints = FindFootprints(addresses, run.launch(), {.known = &known});
  EXPECT_TRUE(footprints.skipped.empty());
}

TEST(Distribution, OfVecaddIsAllUnsharedAndOfMatmulAllInBoth) {
  const auto distribution = [](const char* name) {
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    const BoundWorkload bound = Bind(workload);
    const KernelLaunch& launch = bound.launches.at(0);
    const SharerSets sharers = FindSharers(
        FindFootprints(AnalyzeAddresses(launch, bound.memory), launch, {.by_warp = true}),
        Granularity::kElement);
    const DataDistribution data = Distribute(sharers);
    EXPECT_EQ(data.unshared + data.intra_tb + data.inter_tb + data.both, sharers.total_references);
    return data;
  };
  const DataDistribution vecadd = distribution("vecadd");
  EXPECT_GT(vecadd.unshared, 0U);
  EXPECT_EQ(vecadd.intra_tb + vecadd.inter_tb + vecadd.both, 0U);
  // 16 x 16 threads: a warp is two rows. An element of A is read by one warp of each TB of a grid
  // row, one of B by all eight of each TB of a column.
  const DataDistribution matmul = distribution("matmul");
  EXPECT_EQ(matmul.unshared + matmul.intra_tb, 0U);
  EXPECT_EQ(matmul.inter_tb, matmul.both);
  EXPECT_EQ(matmul.both, 64U * 64);
}

}  // namespace known_data_test
}  // namespace flagstone
