#include "kernels/ptx/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/random.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace control_flow_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Parsed {
  explicit Parsed(const std::string& body) : module(ParseBody(body)), flow(*module->kernels[0]) {}
  size_t count() const { return module->kernels[0]->instructions.size(); }
  std::unique_ptr<Module> module;
  ControlFlow flow;
};

TEST(ControlFlow, IsOneBlockWithoutBranches) {
  const Parsed p("mov.u32 %r1, 0; add.s32 %r1, %r1, 1; ret;");
  ASSERT_EQ(p.flow.blocks().size(), 1U);
  EXPECT_EQ(p.flow.blocks()[0].begin, 0U);
  EXPECT_EQ(p.flow.blocks()[0].end, 3U);
  EXPECT_THAT(p.flow.blocks()[0].successors, IsEmpty());
  EXPECT_EQ(p.flow.ImmediateDominator(0), kNoBlock);
  EXPECT_EQ(p.flow.ImmediatePostDominator(0), kNoBlock);
}

TEST(ControlFlow, MeetsAfterAnIf) {
  const Parsed p(
      "@%p1 bra end;\n"         // 0, block 0
      "mov.u32 %r1, 0;\n"       // 1, block 1
      "end: mov.u32 %r1, 1;\n"  // 2, block 2
      "ret;");
  ASSERT_EQ(p.flow.blocks().size(), 3U);
  EXPECT_THAT(p.flow.blocks()[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(p.flow.blocks()[1].successors, ElementsAre(2));
  EXPECT_THAT(p.flow.blocks()[2].predecessors, ElementsAre(0, 1));
  EXPECT_EQ(p.flow.BlockOf(3), 2U);
  EXPECT_EQ(p.flow.ImmediatePostDominator(0), 2U);
  EXPECT_EQ(p.flow.ImmediateDominator(2), 0U);
  EXPECT_EQ(p.flow.ReconvergencePc(0), 2U);
}

TEST(ControlFlow, MeetsAfterBothSidesOfAnIfElse) {
  const Parsed p(
      "@!%p1 bra other;\n"          // 0
      "mov.u32 %r1, 0; bra end;\n"  // 1 2
      "other: mov.u32 %r1, 2;\n"    // 3
      "end: ret;");                 // 4
  EXPECT_THAT(p.flow.blocks()[0].successors, ElementsAre(1, 2));
  EXPECT_EQ(p.flow.ReconvergencePc(0), 4U);
  EXPECT_EQ(p.flow.ImmediateDominator(3), 0U);
  EXPECT_FALSE(p.flow.Dominates(1, 3));
  EXPECT_TRUE(p.flow.Dominates(0, 3));
  EXPECT_TRUE(p.flow.Dominates(2, 2));
  EXPECT_FALSE(p.flow.Dominates(3, 0));
}

TEST(ControlFlow, MeetsAfterALoopForItsBackwardBranch) {
  const Parsed p(
      "mov.u32 %r1, 0;\n"            // 0
      "top: add.s32 %r1, %r1, 1;\n"  // 1, block 1
      "@%p1 bra top;\n"              // 2
      "ret;");                       // 3, block 2
  ASSERT_EQ(p.flow.blocks().size(), 3U);
  EXPECT_THAT(p.flow.blocks()[1].successors, ElementsAre(2, 1));
  EXPECT_THAT(p.flow.blocks()[1].predecessors, ElementsAre(0, 1));
  EXPECT_EQ(p.flow.ReconvergencePc(2), 3U);
}

TEST(ControlFlow, GivesNestedLoopsTheirOwnMeetingPoints) {
  const Parsed p(
      "outer: mov.u32 %r1, 0;\n"       // 0, block 0
      "inner: add.s32 %r1, %r1, 1;\n"  // 1, block 1
      "@%p1 bra inner;\n"              // 2
      "add.s32 %r2, %r2, 1;\n"         // 3, block 2
      "@%p2 bra outer;\n"              // 4
      "ret;");                         // 5, block 3
  EXPECT_EQ(p.flow.ReconvergencePc(2), 3U);
  EXPECT_EQ(p.flow.ReconvergencePc(4), 5U);
  EXPECT_EQ(p.flow.ImmediateDominator(1), 0U);
  EXPECT_EQ(p.flow.ImmediateDominator(2), 1U);
  EXPECT_TRUE(p.flow.Dominates(0, 3));
}

TEST(ControlFlow, MeetsAfterTheLoopForABreak) {
  const Parsed p(
      "top: setp.lt.s32 %p1, %r1, 5;\n"  // 0, block 0
      "@%p1 bra done;\n"                 // 1: break
      "add.s32 %r1, %r1, 1;\n"           // 2, block 1
      "@%p2 bra top;\n"                  // 3
      "mov.u32 %r2, 0;\n"                // 4, block 2
      "done: ret;");                     // 5, block 3
  EXPECT_EQ(p.flow.ReconvergencePc(1), 5U);
  EXPECT_EQ(p.flow.ReconvergencePc(3), 5U);
  EXPECT_EQ(p.flow.ImmediateDominator(3), 0U);
}

TEST(ControlFlow, MeetsAfterAContinueAtTheLatch) {
  const Parsed p(
      "top: @%p1 bra latch;\n"  // 0: continue
      "mov.u32 %r2, 0;\n"       // 1
      "latch: @%p2 bra top;\n"  // 2
      "ret;");                  // 3
  EXPECT_EQ(p.flow.ReconvergencePc(0), 2U);
  EXPECT_EQ(p.flow.ReconvergencePc(2), 3U);
}

TEST(ControlFlow, MeetsAfterAllCasesOfASwitch) {
  const Parsed p(
      "@%p1 bra one;\n"                  // 0
      "@%p2 bra two;\n"                  // 1
      "mov.u32 %r1, 0; bra.uni end;\n"   // 2 3
      "one: mov.u32 %r1, 1; bra end;\n"  // 4 5
      "two: mov.u32 %r1, 2;\n"           // 6
      "end: ret;");                      // 7
  EXPECT_EQ(p.flow.ReconvergencePc(0), 7U);
  EXPECT_EQ(p.flow.ReconvergencePc(1), 7U);
  EXPECT_THAT(p.flow.blocks()[5].predecessors, ElementsAre(2, 3, 4));
}

TEST(ControlFlow, MeetsAtTheJoinWhereACaseFallsThrough) {
  const Parsed p(
      "@%p1 bra second;\n"         // 0
      "@%p2 bra end;\n"            // 1
      "mov.u32 %r1, 1;\n"          // 2: falls into the second case
      "second: mov.u32 %r1, 2;\n"  // 3
      "end: ret;");                // 4
  EXPECT_EQ(p.flow.ReconvergencePc(0), 4U);
  EXPECT_EQ(p.flow.ReconvergencePc(1), 4U);
}

TEST(ControlFlow, LetsAGuardedReturnFallThroughAndMeetNowhereButTheEnd) {
  const Parsed p(
      "@%p1 ret;\n"        // 0, block 0
      "@%p2 bra end;\n"    // 1, block 1
      "mov.u32 %r1, 0;\n"  // 2, block 2
      "end: exit;");       // 3, block 3
  ASSERT_EQ(p.flow.blocks().size(), 4U);
  EXPECT_THAT(p.flow.blocks()[0].successors, ElementsAre(1));
  EXPECT_EQ(p.flow.ImmediatePostDominator(0), kNoBlock);
  EXPECT_EQ(p.flow.ReconvergencePc(0), p.count());
  EXPECT_EQ(p.flow.ReconvergencePc(1), 3U);
}

TEST(ControlFlow, MeetsAtTheEndWhereOneSideReturns) {
  const Parsed p(
      "@%p1 bra other;\n"         // 0
      "ret;\n"                    // 1
      "other: mov.u32 %r1, 0;\n"  // 2
      "exit;");                   // 3
  EXPECT_THAT(p.flow.blocks()[1].successors, IsEmpty());
  EXPECT_EQ(p.flow.ReconvergencePc(0), p.count());
}

TEST(ControlFlow, HasOneEdgeForABranchToTheNextInstruction) {
  const Parsed p("@%p1 bra next; next: ret;");
  EXPECT_THAT(p.flow.blocks()[0].successors, ElementsAre(1));
  EXPECT_THAT(p.flow.blocks()[1].predecessors, ElementsAre(0));
  EXPECT_EQ(p.flow.ReconvergencePc(0), 1U);
}

TEST(ControlFlow, StandsALoopWithoutAWayOut) {
  const Parsed p(
      "@%p1 bra forever;\n"                        // 0, block 0
      "ret;\n"                                     // 1, block 1
      "forever: @%p2 bra skip; mov.u32 %r1, 0;\n"  // 2, block 2; 3, block 3
      "skip: bra forever;");                       // 4, block 4
  EXPECT_EQ(p.flow.ReconvergencePc(0), p.count());
  EXPECT_EQ(p.flow.ReconvergencePc(2), 4U);
  EXPECT_EQ(p.flow.ImmediateDominator(4), 2U);
}

TEST(ControlFlow, GivesUnreachableBlocksNoDominator) {
  const Parsed p("bra end; dead: mov.u32 %r1, 0; end: ret;");
  ASSERT_EQ(p.flow.blocks().size(), 3U);
  EXPECT_EQ(p.flow.ImmediateDominator(1), kNoBlock);
  EXPECT_EQ(p.flow.ImmediateDominator(2), 0U);
  EXPECT_FALSE(p.flow.Dominates(0, 1));
}

TEST(ControlFlow, DominatesAsTheChainOfImmediateDominatorsSays) {
  SplitMix64 random(11);
  size_t dominated = 0;
  for (int kernel = 0; kernel < 50; ++kernel) {
    std::string body;
    for (int block = 0; block < 20; ++block) {
      const std::string to = std::to_string(random.Below(20));
      body += "L" + std::to_string(block) + ": " + (random.Below(5) == 0 ? "" : "@%p1 ") + "bra L" +
              to + ";\n";
    }
    const Parsed p(body + "ret;");
    for (BlockId b = 0; b < p.flow.blocks().size(); ++b) {
      std::set<BlockId> above;
      for (BlockId at = b; at != kNoBlock; at = p.flow.ImmediateDominator(at)) above.insert(at);
      for (BlockId a = 0; a < p.flow.blocks().size(); ++a) {
        ASSERT_EQ(p.flow.Dominates(a, b), above.count(a) == 1) << a << " " << b << "\n" << body;
      }
      dominated += above.size() - 1;
    }
  }
  EXPECT_GT(dominated, 500U);
}

TEST(ControlFlow, TakesTheNearestCommonBlockInAnIrreducibleLoop) {
  const Parsed p(
      "@%p1 bra b;\n"         // 0, block 0
      "a: mov.u32 %r1, 0;\n"  // 1, block 1
      "b: @%p2 bra a;\n"      // 2, block 2
      "ret;");                // 3, block 3
  EXPECT_EQ(p.flow.ImmediateDominator(1), 0U);
  EXPECT_EQ(p.flow.ImmediateDominator(2), 0U);
  EXPECT_EQ(p.flow.ReconvergencePc(0), 2U);
  EXPECT_EQ(p.flow.ReconvergencePc(2), 3U);
}

}  // namespace control_flow_test
}  // namespace flagstone::ptx
