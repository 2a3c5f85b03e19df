#include "analyzer/address/address_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_tree_test {

using testing::HasSubstr;
using testing::Not;

std::string TreesOf(const std::string& body) {
  const KernelUnderAnalysis kernel(body, {2, 1, 1}, {64, 1, 1}, 3);
  return DumpTrees(*kernel.launch().kernel, kernel.Analyze());
}

TEST(AddressTree, GoesFromALoadDownToIdsAndParameters) {
  EXPECT_EQ(TreesOf("mul.wide.s32 %rd3, %r6, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                    "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;"),
            "load pc 14 line 25 of a: ld.global.f32 %f1, [%rd4]\n"
            "  add.s64 %rd4, %rd1, %rd3\n"
            "    cvta.to.global.u64 %rd1, %rd1\n"
            "      ld.param.u64 %rd1, [a]\n"
            "    mul.wide.s32 %rd3, %r6, 4\n"
            "      mad.lo.s32 %r6, %r4, %r5, %r3\n"
            "        mov.u32 %r4, %ctaid.x\n"
            "        mov.u32 %r5, %ntid.x\n"
            "        mov.u32 %r3, %tid.x\n");
}

TEST(AddressTree, ALoadedValueEndsItsBranch) {
  const std::string trees = TreesOf(
      "ld.global.u32 %r9, [%rd1];\nmul.wide.u32 %rd3, %r9, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
      "ld.global.f32 %f1, [%rd4];");
  EXPECT_THAT(trees, HasSubstr("    mul.wide.u32 %rd3, %r9, 4\n"
                               "      ld.global.u32 %r9, [%rd1]  (from memory)\n"));
  EXPECT_THAT(trees, Not(HasSubstr("        cvta")));
}

TEST(AddressTree, ACounterIsCarriedByItsLoop) {
  const std::string trees = TreesOf(
      "mov.u32 %r9, 0;\nmov.u64 %rd4, %rd1;\nL:\nld.global.f32 %f1, [%rd4];\n"
      "add.s64 %rd4, %rd4, 8;\nadd.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, %r1;\n@%p1 bra L;");
  EXPECT_THAT(trees, HasSubstr("  %rd4, carried by the loop at pc 14\n"
                               "    mov.u64 %rd4, %rd1\n"));
  EXPECT_THAT(trees, HasSubstr("    add.s64 %rd4, %rd4, 8\n"
                               "      %rd4, carried by the loop at pc 14  (as above)\n"));
}

TEST(AddressTree, WhatIsReadTwiceStandsOnce) {
  const std::string trees = TreesOf(
      "add.s32 %r9, %r3, 1;\nmul.lo.s32 %r10, %r9, %r1;\nadd.s32 %r11, %r10, %r9;\n"
      "mul.wide.s32 %rd3, %r11, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];");
  EXPECT_THAT(trees, HasSubstr("          add.s32 %r9, %r3, 1\n"
                               "            mov.u32 %r3, %tid.x\n"));
  EXPECT_THAT(trees, HasSubstr("        add.s32 %r9, %r3, 1  (as above)\n"));
}

TEST(AddressTree, AnEndlessChainIsCut) {
  std::string body = "mov.u32 %r9, %r3;\n";
  for (int i = 0; i < 100; ++i) body += "add.s32 %r9, %r9, %r1;\n";
  const std::string trees = TreesOf(
      body + "mul.wide.s32 %rd3, %r9, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];");
  const std::string at_level_64 = "\n" + std::string(128, ' ') + "add.s32 %r9, %r9, %r1";
  EXPECT_THAT(trees, HasSubstr(at_level_64 + "  (and more)\n"));
  EXPECT_THAT(trees, Not(HasSubstr("mov.u32 %r9, %r3\n")));
}

}  // namespace address_tree_test
}  // namespace flagstone
