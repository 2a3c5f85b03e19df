// Loops over tiles as compilers write them: which are seen, and what stands in them afterwards.
#include "app/order/tile_loop.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "base/error.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace tile_loop_test {

using ::testing::HasSubstr;

// Each tile is a word that gets its index. %r1 is the index, %r2 the number of TBs, %r3 of tiles.
struct Code {
  std::string begins = "mov.u32 %r1, %ctaid.x;";
  std::string tbs = "mov.u32 %r2, %nctaid.x;";
  std::string uses = "mov.u32 %r4, %r1;";
  std::string goes_on = "add.s32 %r1, %r1, %r2;";
  std::string ends = "setp.lt.s32 %p1, %r1, %r3;";
};

std::string Text(const Code& code) {
  return fmt::format(
      ".version 6.0\n.target sm_35\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u32 tiles, .param .u32 tbs)\n{{\n"
      "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .pred %p<3>;\n"
      "\tld.param.u64 %rd1, [out];\n\tld.param.u32 %r3, [tiles];\n\tld.param.u32 %r7, [tbs];\n"
      "\t{}\n\t{}\n\tmov.u32 %r6, 0;\n"
      "LOOP:\n\t{}\n"
      "\tmul.wide.u32 %rd2, %r4, 4;\n\tadd.s64 %rd2, %rd1, %rd2;\n"
      "\tst.global.u32 [%rd2], %r4;\n\t{}\n\t{}\n\t@%p1 bra LOOP;\n\tret;\n}}\n",
      code.begins, code.tbs, code.uses, code.goes_on, code.ends);
}

struct Launched {
  explicit Launched(const std::string& code) : text(code), module(ptx::Parse(text, "k.ptx")) {
    launch.kernel = module->kernels.front().get();
    launch.module = module.get();
    launch.grid = {6, 1, 1};
    launch.block = {32, 1, 1};
    launch.parameters.resize(launch.kernel->parameter_bytes);
    const uint32_t values[] = {20, 6};  // tiles, TBs
    std::memcpy(launch.parameters.data() + 8, values, sizeof(values));
  }
  std::string text;
  std::shared_ptr<const ptx::Module> module;
  KernelLaunch launch;
};

TEST(FindTileLoop, SeesAStepByTheNumberOfTbsHoweverItIsWritten) {
  Code by_parameter, by_number, swapped, by_two;
  by_parameter.goes_on = "add.s32 %r1, %r1, %r7;";
  by_number.goes_on = "add.s32 %r1, %r1, 6;";
  swapped.goes_on = "add.s32 %r1, %r2, %r1;";
  by_two.goes_on = "add.s32 %r8, %r1, %r2; mov.u32 %r1, %r8;";
  by_two.ends = "setp.lt.s32 %p1, %r8, %r3;";
  for (const Code& code : {Code(), by_parameter, by_number, swapped, by_two}) {
    const std::optional<TileLoop> loop = FindTileLoop(Launched(Text(code)).launch);
    ASSERT_TRUE(loop) << code.goes_on;
    EXPECT_EQ(loop->line, 20) << code.goes_on;
    EXPECT_EQ(loop->hidden, "") << code.goes_on;
    EXPECT_EQ(loop->reads.size(), 1U);
    EXPECT_EQ(loop->accesses.size(), 1U);
  }
}

TEST(FindTileLoop, SeesNoLoopThatGoesOnByAnotherNumberOrBeginsElsewhere) {
  Code five, from_thread, no_end;
  five.goes_on = "add.s32 %r1, %r1, 5;";
  from_thread.begins = "mov.u32 %r1, %tid.x;";
  no_end.ends = "setp.lt.s32 %p1, %r6, %r3;";
  for (const Code& code : {five, from_thread, no_end}) {
    EXPECT_FALSE(FindTileLoop(Launched(Text(code)).launch)) << Text(code);
  }
  Launched plane{Text(Code())};
  plane.launch.grid = {3, 2, 1};
  EXPECT_FALSE(FindTileLoop(plane.launch));
}

// A sum of each TB, or a share of the work by the number of TBs.
TEST(FindTileLoop, SeesNoLoopOfAKernelThatUsesTheTbsForMore) {
  Code own_sum, share;
  own_sum.begins =
      "mov.u32 %r1, %ctaid.x; mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd3, %r5, 4; "
      "add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r5;";
  share.tbs = "mov.u32 %r2, %nctaid.x; div.u32 %r8, %r3, %r2;";
  Code guarded;
  guarded.begins = "mov.u32 %r5, %ctaid.x; setp.ge.s32 %p2, %r5, %r3; mov.u32 %r1, %r5;";
  EXPECT_FALSE(FindTileLoop(Launched(Text(own_sum)).launch));
  EXPECT_FALSE(FindTileLoop(Launched(Text(share)).launch));
  EXPECT_TRUE(FindTileLoop(Launched(Text(guarded)).launch));
}

TEST(FindTileLoop, SaysWhyAnOrderCannotBeWritten) {
  const auto hidden = [](const Code& code) {
    return FindTileLoop(Launched(Text(code)).launch)->hidden;
  };
  Code product, next, moving;
  product.uses = "mov.u32 %r4, %r6; shl.b32 %r8, %r2, 2;";
  product.goes_on = "add.s32 %r6, %r6, %r8; add.s32 %r1, %r1, %r2;";
  next.goes_on = "add.s32 %r8, %r1, %r2; mov.u32 %r6, %r8; mov.u32 %r1, %r8;";
  next.ends = "setp.lt.s32 %p1, %r1, %r3;";
  moving.uses = "mov.u32 %r4, %r1; add.s32 %r3, %r3, 0;";
  EXPECT_THAT(hidden(product), HasSubstr("line 20 carries a product"));
  EXPECT_THAT(hidden(next), HasSubstr("line 20 takes the next one"));
  EXPECT_THAT(hidden(moving), HasSubstr("end changes"));
}

TEST(WithOneTurn, EndsTheLoopAfterTheFirstTile) {
  const Launched code{Text(Code())};
  const std::string text = WithOneTurn(code.text, *code.launch.kernel, *FindTileLoop(code.launch));
  EXPECT_THAT(text, HasSubstr("\tmov.b32 %r1, 2147483647;\n\tsetp.lt.s32"));
  EXPECT_EQ(ptx::Parse(text, "k.ptx")->kernels.front()->instructions.size(),
            code.launch.kernel->instructions.size());
}

TEST(WithTileOrder, PutsTheTileWhereTheIndexWasUsedAndLeavesItsEnd) {
  const Launched code{Text(Code())};
  const std::string text = WithTileOrder(code.text, "k.ptx", *code.launch.kernel,
                                         *FindTileLoop(code.launch), "band:4", {2, 1, 0});
  EXPECT_THAT(text, HasSubstr(".global .align 4 .u32 flagstone_order_k[3] = {2,1,0};"));
  EXPECT_THAT(text, HasSubstr("mov.u32 %r4, %flagstone_tile;"));
  EXPECT_THAT(text, HasSubstr("add.s32 %r1, %r1, %r2;"));
  EXPECT_THAT(text, HasSubstr("setp.lt.s32 %p1, %r1, %r3;"));
  EXPECT_THAT(text, HasSubstr("setp.eq.u32 %flagstone_same, %r3, 3;"));
  EXPECT_NO_THROW(ptx::Parse(text, "k.ptx"));
}

TEST(WithTileOrder, RefusesALoopThatHidesItsIndex) {
  Code code;
  code.uses = "mov.u32 %r4, %r1; add.s32 %r3, %r3, 0;";
  const Launched hides{Text(code)};
  EXPECT_THROW(WithTileOrder(hides.text, "k.ptx", *hides.launch.kernel, *FindTileLoop(hides.launch),
                             "band:4", {}),
               Error);
}

}  // namespace tile_loop_test
}  // namespace flagstone
