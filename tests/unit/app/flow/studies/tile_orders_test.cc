// Orders of tiles that stand in the kernel: in bands of its ids, in a loop over them, of TBs that
// differ in length.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/flow/studies/order_study.h"
#include "base/file.h"

namespace flagstone {
namespace tile_orders_test {

OrderRequest RequestFor(const std::string& machine) {
  OrderRequest request;
  request.options.machine = MachineConfig::Load(machine, {});
  request.options.engine = Engine::kModel;
  return request;
}

// A workload of one kernel in a folder of its own: c[t] gets a[row] + b[column] of tile t, on 16 x
// 32 tiles, with `tiles` bounding a loop from %r1 on by %r2 where it is one.
Workload TileSums(const std::string& name, const std::string& tile, uint32_t tbs) {
  const std::filesystem::path folder = testing::TempDir() + name;
  std::filesystem::create_directories(folder);
  WriteFileAtomically(
      (folder / "kernel.ptx").string(),
      ".version 6.0\n.target sm_35\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"
      "\t.reg .b32 %r<20>;\n\t.reg .b64 %rd<20>;\n\t.reg .pred %p<9>;\n\t.reg .f32 %f<9>;\n"
      "\tld.param.u64 %rd1, [a];\n\tld.param.u64 %rd2, [b];\n\tld.param.u64 %rd3, [c];\n"
      "\tmov.u32 %r1, %ctaid.x;\n\tmov.u32 %r2, %nctaid.x;\n\tmov.u32 %r3, %tid.x;\n"
      "\tsetp.ge.u32 %p2, %r1, 512;\n\t@%p2 bra DONE;\n"
      "LOOP:\n\t" +
          tile +
          "\n"
          "\tshl.b32 %r6, %r4, 7;\n\tadd.s32 %r6, %r6, %r3;\n\tmul.wide.u32 %rd4, %r6, 4;\n"
          "\tadd.s64 %rd4, %rd1, %rd4;\n\tld.global.f32 %f1, [%rd4];\n"
          "\tshl.b32 %r7, %r5, 7;\n\tadd.s32 %r7, %r7, %r3;\n\tmul.wide.u32 %rd5, %r7, 4;\n"
          "\tadd.s64 %rd5, %rd2, %rd5;\n\tld.global.f32 %f2, [%rd5];\n\tadd.f32 %f3, %f1, %f2;\n"
          "\tshl.b32 %r8, %r4, 5;\n\tadd.s32 %r8, %r8, %r5;\n\tshl.b32 %r8, %r8, 7;\n"
          "\tadd.s32 %r8, %r8, %r3;\n\tmul.wide.u32 %rd6, %r8, 4;\n\tadd.s64 %rd6, %rd3, %rd6;\n"
          "\tst.global.f32 [%rd6], %f3;\n"
          "\tadd.s32 %r1, %r1, %r2;\n\tsetp.lt.u32 %p1, %r1, 512;\n\t@%p1 bra "
          "LOOP;\nDONE:\n\tret;\n}\n");
  std::string toml = "name = \"" + name + "\"\ndescription = \"sums\"\n";
  for (const auto& [buffer, count] : {std::pair{"a", 16 * 128}, {"b", 32 * 128}, {"c", 65536}}) {
    toml +=
        fmt::format("[buffer.{}]\ntype = \"f32\"\ncount = {}\nfill = \"iota\"\n", buffer, count);
  }
  toml += fmt::format(
      "[[launch]]\nptx = \"kernel.ptx\"\nentry = \"k\"\ngrid = [{}, 1, 1]\nblock = [128, 1, 1]\n"
      "args = [\"a\", \"b\", \"c\"]\n",
      tbs);
  WriteFileAtomically((folder / "workload.toml").string(), toml);
  return Workload::Load((folder / "workload.toml").string(), "test");
}

constexpr char kRowsOfTiles[] = "shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31;";

// As tiles in bands of four rows, which the kernel makes of its ids.
TEST(OrderStudy, TriesOtherBandsOfTilesThatIdsGoThroughInBands) {
  const char* banded =
      "shr.u32 %r10, %r1, 7; and.b32 %r11, %r1, 127; and.b32 %r12, %r11, 3; shr.u32 %r5, %r11, 2; "
      "shl.b32 %r4, %r10, 2; add.s32 %r4, %r4, %r12;";
  OrderRequest request = RequestFor("fermi");
  const OrderStudy study = PredictOrders(request, TileSums("banded", banded, 512));
  const OrderedLaunch& launch = study.launches.front();
  EXPECT_EQ(launch.machine.tiles.x, 32U);
  EXPECT_EQ(launch.machine.tiles.y, 16U);
  EXPECT_EQ(launch.machine.tile_band, 4U);
  const auto table = [&](const char* name) {
    return ParseTbOrder(name).Table(launch.grid, launch.machine);
  };
  // Row after row: the ids of a band's first row are four apart.
  const std::vector<uint32_t> rows = table("band:1");
  EXPECT_EQ(rows[1], 4U);
  EXPECT_EQ(rows[32], 1U);
  EXPECT_EQ(table("band:4"), table("identity"));
  const auto named = [&](const char* name) {
    return std::count_if(study.candidates.begin(), study.candidates.end(),
                         [&](const OrderCandidate& c) { return c.order.name == name; });
  };
  EXPECT_EQ(named("band:1"), 1);
  EXPECT_EQ(named("band:4"), 0);  // identity
}

TEST(OrderStudy, RanksTheTilesOfALoopAsThoseOfALaunch) {
  OrderRequest request = RequestFor("fermi");
  request.orders = {"column", "band:4"};
  const Workload loop = TileSums("loop", kRowsOfTiles, 60);
  const OrderStudy study = PredictOrders(request, loop);
  const OrderStudy flat = PredictOrders(request, TileSums("flat", kRowsOfTiles, 512));
  const OrderedLaunch& launch = study.launches.front();
  EXPECT_EQ(launch.looping_tbs, 60U);
  EXPECT_EQ(launch.loop_line, 38);
  EXPECT_EQ(launch.grid.x, 512U);
  EXPECT_EQ(launch.machine.tbs_per_sm, 4U);
  EXPECT_EQ(launch.machine.tiles.x, 32U);
  EXPECT_EQ(flat.launches.front().looping_tbs, 0U);
  for (size_t i = 0; i < study.candidates.size(); ++i) {
    EXPECT_EQ(study.candidates[i].predicted.l2_writes, flat.candidates[i].predicted.l2_writes);
  }
}

TEST(EmitOrder, WritesAnOrderIntoALoopAndItsSimulationTakesIt) {
  OrderRequest request = RequestFor("tiny");
  request.orders = {"column"};
  const Workload loop = TileSums("written_loop", kRowsOfTiles, 60);
  OrderStudy study = PredictOrders(request, loop);
  const auto emitted = EmitOrder(request, loop, study, ParseTbOrder("column"));
  EXPECT_NE(emitted.front().text.find("flagstone_tile"), std::string::npos);
  SimulateOrders(
      request, loop, 0, 1, [](size_t, size_t) {}, &study);
  EXPECT_NE(study.candidates[0].simulated->cycles, study.candidates[1].simulated->cycles);
}

Workload Triangle() {
  const std::filesystem::path folder = testing::TempDir() + "triangle";
  std::filesystem::create_directories(folder);
  WriteFileAtomically(
      (folder / "kernel.ptx").string(),
      ".version 6.0\n.target sm_35\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 c)\n{\n"
      "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .pred %p<3>;\n\t.reg .f32 %f<9>;\n"
      "\tld.param.u64 %rd1, [a];\n\tld.param.u64 %rd2, [c];\n"
      "\tmov.u32 %r1, %ctaid.x;\n\tmov.u32 %r2, %tid.x;\n\tmov.u32 %r3, 0;\n"
      "\tmov.f32 %f1, 0f00000000;\n"
      "\tmul.wide.u32 %rd3, %r2, 4;\n\tadd.s64 %rd4, %rd1, %rd3;\n"
      "LOOP:\n\tld.global.f32 %f2, [%rd4];\n\tadd.f32 %f1, %f1, %f2;\n"
      "\tadd.s64 %rd4, %rd4, 512;\n\tadd.s32 %r3, %r3, 1;\n\tsetp.le.u32 %p1, %r3, %r1;\n"
      "\t@%p1 bra LOOP;\n"
      "\tmad.lo.s32 %r4, %r1, 128, %r2;\n\tmul.wide.u32 %rd5, %r4, 4;\n"
      "\tadd.s64 %rd5, %rd2, %rd5;\n\tst.global.f32 [%rd5], %f1;\n\tret;\n}\n");
  WriteFileAtomically(
      (folder / "workload.toml").string(),
      "name = \"triangle\"\ndescription = \"rows\"\n"
      "[buffer.a]\ntype = \"f32\"\ncount = 32768\nfill = \"iota\"\n"
      "[buffer.c]\ntype = \"f32\"\ncount = 32768\nfill = \"zero\"\n"
      "[[launch]]\nptx = \"kernel.ptx\"\nentry = \"k\"\ngrid = [256, 1, 1]\nblock = [128, 1, 1]\n"
      "args = [\"a\", \"c\"]\n");
  return Workload::Load((folder / "workload.toml").string(), "test");
}

// Rows of a triangle: TB i goes through i + 1 of 256 chunks.
TEST(OrderStudy, StartsTheLongestTbsFirstWhereTheyDiffer) {
  const Workload triangle = Triangle();
  OrderRequest request = RequestFor("fermi");
  const OrderStudy study = PredictOrders(request, triangle);
  const auto longest = std::find_if(study.candidates.begin(), study.candidates.end(),
                                    [](const auto& c) { return c.order.name == "longest"; });
  ASSERT_NE(longest, study.candidates.end());
  const OrderedLaunch& launch = study.launches.front();
  std::vector<uint32_t> reverse = ParseTbOrder("reverse").Table(launch.grid, launch.machine);
  EXPECT_EQ(longest->order.Table(launch.grid, launch.machine), reverse);
  EXPECT_LT(longest->predicted.cycles, study.Identity().predicted.cycles);
}

TEST(OrderStudy, DropsTheLongestFirstWhereAllTbsDoAsMuch) {
  const OrderStudy study = PredictOrders(RequestFor("tiny"), TileSums("even", kRowsOfTiles, 512));
  for (const OrderCandidate& candidate : study.candidates) {
    EXPECT_NE(candidate.order.name, "longest");
  }
}

}  // namespace tile_orders_test
}  // namespace flagstone
