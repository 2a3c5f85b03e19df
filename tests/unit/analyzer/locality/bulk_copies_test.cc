// Footprints and sharers of kernels with bulk copies: those of the same kernel with plain loads,
// and what execution touches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_dump.h"
#include "analyzer/locality/locality_graph.h"
#include "kernels/launch/tensor_map.h"
#include "tests/unit/analyzer/executed_accesses.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace bulk_copies_test {

using ::testing::HasSubstr;

constexpr Dim3 kGrid = {4, 4, 1};
constexpr uint32_t kBytes = 1 << 16;

// TB (x, y) of 4 x 4 reads rows of 256 bytes of a and b, 4 KiB apart, in four turns, by `copies`,
// which finds them in %rd11 and %rd12 and is done by threads below `threads`. %rd10: 16 tid.x.
std::string Tiles(const std::string& threads, const std::string& copies) {
  return ".shared .align 128 .b8 tile[4096];\n.shared .align 8 .b64 bar;\n"
         "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r1, %tid.x;\n"
         "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\nmov.u32 %r4, tile;\nmov.u32 %r5, 256;\n"
         "setp.ge.u32 %p1, %r1, " +
         threads +
         ";\n@%p1 bra DONE;\nmbarrier.init.shared.b64 [bar], 1;\n"
         "mul.wide.u32 %rd3, %r3, 4096;\nadd.s64 %rd11, %rd1, %rd3;\n"
         "mul.wide.u32 %rd4, %r2, 4096;\nadd.s64 %rd12, %rd2, %rd4;\nmul.wide.u32 %rd10, %r1, 16;\n"
         "mov.u32 %r6, 0;\nLOOP:\n" +
         copies +
         "add.s64 %rd11, %rd11, 1024;\nadd.s64 %rd12, %rd12, 1024;\nadd.u32 %r6, %r6, 1;\n"
         "setp.lt.u32 %p2, %r6, 4;\n@%p2 bra LOOP;\nDONE:\nret;";
}

KernelRun RunOf(const std::string& body, const std::string& more = "") {
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 a, .param .u64 b" + more, body),
                                      kGrid, {64, 1, 1});
  run.Buffer("a", std::vector<uint8_t>(kBytes)).Buffer("b", std::vector<uint8_t>(kBytes));
  return run;
}

TEST(BulkCopies, ShareWhatPlainLoadsShare) {
  const std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  KernelRun copying = RunOf(Tiles(
      "1", load + "[%r4], [%rd11], %r5, [bar];\n" + load + "[%r4+256], [%rd12], %r5, [bar];\n"));
  KernelRun loading = RunOf(Tiles("16",
                                  "add.s64 %rd13, %rd11, %rd10;\nadd.s64 %rd14, %rd12, %rd10;\n"
                                  "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd13];\n"
                                  "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd14];\n"));
  for (const Granularity granularity :
       {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
    const auto sharers = [&](KernelRun& run) {
      const Footprints footprints =
          FindFootprints(AnalyzeAddresses(run.launch(), run.memory()), run.launch());
      EXPECT_TRUE(footprints.skipped.empty()) << footprints.skipped[0].reason;
      return FindSharers(footprints, granularity);
    };
    const SharerSets by_copies = sharers(copying), by_loads = sharers(loading);
    EXPECT_EQ(Dump(by_copies), Dump(by_loads));
    EXPECT_EQ(Dump(BuildGraph(by_copies)), Dump(BuildGraph(by_loads)));
    EXPECT_GT(Summarize(by_copies).edges, 0U);
    EXPECT_EQ(by_copies.total_references,
              2 * 4 * 4 * 256 / Bytes(granularity, 16));  // rows, turns, TBs along an axis
  }
}

// The sectors of global memory that each TB's copies touch when they are executed.
std::vector<std::set<uint64_t>> ExecutedSectors(KernelRun& run) {
  std::vector<std::set<uint64_t>> sectors(kGrid.Count());
  run.Run(
      [](void* to, uint64_t tb, uint32_t, const StepResult& step) {
        if (step.space != MemorySpace::kGlobal || step.addresses == nullptr) return;
        for (uint32_t i = 0; i < kWarpSize; ++i) {
          if ((step.in_space >> i & 1) == 0) continue;
          (*static_cast<std::vector<std::set<uint64_t>>*>(to))[tb].insert((*step.addresses)[i] /
                                                                          32);
        }
      },
      &sectors);
  return sectors;
}

void ExpectExecuted(KernelRun& run, AccessKind kind) {
  const AddressAnalysis analysis = AnalyzeAddresses(run.launch(), run.memory());
  FootprintRequest request;
  request.kind = kind;
  const Footprints footprints = FindFootprints(analysis, run.launch(), request);
  EXPECT_TRUE(footprints.skipped.empty()) << Dump(analysis);
  const std::vector<std::set<uint64_t>> executed = ExecutedSectors(run);
  for (uint32_t tb = 0; tb < executed.size(); ++tb) {
    std::set<uint64_t> analysed;
    for (const ArrayFootprints& array : footprints.arrays) {
      analysed.merge(UnitsOf(BytesOf(array, tb), 32));
    }
    EXPECT_EQ(analysed, executed[tb]) << "TB " << tb;
    EXPECT_FALSE(executed[tb].empty());
  }
}

TEST(BulkCopies, TouchWhatExecutionTouches) {
  KernelRun loads =
      RunOf(Tiles("1",
                  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], "
                  "[%rd11+48], 1040, [bar];\n"));
  ExpectExecuted(loads, AccessKind::kLoads);
  KernelRun stores =
      RunOf(Tiles("1",
                  "cp.async.bulk.global.shared::cta.bulk_group [%rd11], [%r4], %r5;\n"
                  "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd12+80], [%r4], "
                  "%r5;\ncp.async.bulk.commit_group;\n"));
  ExpectExecuted(stores, AccessKind::kStores);
}

// An address that is no affine form is evaluated.
TEST(BulkCopies, TouchWhatExecutionTouchesWhereTheirAddressIsNotAffine) {
  KernelRun run = RunOf(
      Tiles("1",
            "min.u32 %r12, %r3, 2;\nmul.wide.u32 %rd13, %r12, 512;\nadd.s64 %rd13, %rd1, "
            "%rd13;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], "
            "[%rd13+16], %r5, [bar];\n"));
  const AddressAnalysis analysis = AnalyzeAddresses(run.launch(), run.memory());
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kDeterministic);
  ExpectExecuted(run, AccessKind::kLoads);
}

struct Parameter {
  TensorMap map;
  std::array<uint8_t, TensorMap::kBytes - sizeof(TensorMap)> rest = {};
};

// A tensor of f32 in `a`, rows of 64 elements that begin 256 bytes apart.
TensorMap MapIn(KernelRun& run, std::vector<uint32_t> shape, std::vector<uint16_t> box) {
  TensorMap map;
  map.base = run.memory().Named("a").address;
  map.dimensions = static_cast<uint8_t>(shape.size());
  uint64_t stride = 4;
  for (size_t d = 0; d < shape.size(); ++d) {
    map.shape[d] = shape[d];
    map.box[d] = box[d];
    map.strides[d] = stride;
    stride *= shape[d];
  }
  return map;
}

constexpr const char* kMap = ", .param .align 64 .b8 map[128]";
// Turn i of TB (x, y) has the coordinates 16 x, 4 i and y.
const std::string kCoordinates =
    "mov.b64 %rd20, map;\ncvta.param.u64 %rd20, %rd20;\nshl.b32 %r10, %r2, 4;\n"
    "shl.b32 %r11, %r6, 2;\n";

TEST(TensorCopies, TouchWhatExecutionTouches) {
  const std::string load =
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], "
      "[%rd20, {%r10, %r11, %r3}], [bar];\n";
  const std::string store =
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%rd20, {%r10, %r11, %r3}], [%r4];\n"
      "cp.async.bulk.commit_group;\n";
  for (const auto& [copy, kind] :
       {std::pair(load, AccessKind::kLoads), std::pair(store, AccessKind::kStores)}) {
    for (const uint8_t step : {uint8_t{1}, uint8_t{2}}) {
      KernelRun run = RunOf(Tiles("1", kCoordinates + copy), kMap);
      TensorMap map = MapIn(run, {64, 16, 4}, {16, 3, 1});
      map.steps[0] = map.steps[1] = step;
      run.Scalar(Parameter{map});
      ExpectExecuted(run, kind);
    }
  }
}

TEST(TensorCopies, BeyondTheirTensorOrByAnUnknownMapAreLeftOutAndSaySo) {
  const auto reason = [](const std::string& coordinates, const TensorMap& change) {
    KernelRun run = RunOf(
        Tiles("1", coordinates +
                       "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                       " [%r4], [%rd20, {%r10, %r11}], [bar];\n"),
        kMap);
    TensorMap map = MapIn(run, {64, 16}, {16, 4});
    map.magic = change.magic;
    run.Scalar(Parameter{map});
    const AddressAnalysis analysis = AnalyzeAddresses(run.launch(), run.memory());
    const Footprints footprints = FindFootprints(analysis, run.launch());
    return footprints.skipped.empty() ? std::string() : footprints.skipped[0].reason;
  };
  TensorMap none;
  none.magic = 0;
  EXPECT_EQ(reason(kCoordinates, {}), "");
  EXPECT_EQ(reason(kCoordinates, none), "tensor copy by a map that is not known");
  EXPECT_EQ(reason(kCoordinates + "add.u32 %r10, %r10, 4;\n", {}),
            "tensor copy of a box that may reach beyond its tensor");
  EXPECT_EQ(reason(kCoordinates + "sub.u32 %r11, %r11, 1;\n", {}),
            "tensor copy of a box that may reach beyond its tensor");
  EXPECT_THAT(reason(kCoordinates + "ld.global.u32 %r11, [%rd1];\n", {}),
              HasSubstr("tensor copy at a place that is not known: "));
  EXPECT_EQ(reason("ld.global.u64 %rd20, [%rd1];\n", {}), "tensor copy by a map that is not known");
}

}  // namespace bulk_copies_test
}  // namespace flagstone
