// Which registers share a row of lanes, and which never may.
#include "gpu_model/simt/register_rows.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/ptx/parser.h"

namespace flagstone::simt {
namespace register_rows_test {

class Rows {
 public:
  explicit Rows(const std::string& body)
      : module_(ptx::Parse(".version 6.0 .target sm_70 .address_size 64\n"
                           ".visible .entry k() { .reg .pred %p<3>; .reg .b32 %r<9>; "
                           ".reg .b64 %d<5>;\n" +
                               body + "}",
                           "k.ptx")),
        kernel_(*module_->kernels[0]),
        rows_(ShareRows(kernel_, ptx::ControlFlow(kernel_))) {}

  const RegisterRows& all() const { return rows_; }
  uint32_t Of(const std::string& name) const {
    for (size_t reg = 0; reg < kernel_.registers.size(); ++reg) {
      if (kernel_.registers[reg].name == name) return rows_.row[reg];
    }
    ADD_FAILURE() << "no register " << name;
    return 0;
  }

 private:
  std::unique_ptr<ptx::Module> module_;
  const ptx::Kernel& kernel_;
  RegisterRows rows_;
};

TEST(RegisterRows, AValueThatIsNeededNoMoreLeavesItsRow) {
  const Rows rows(
      "mov.u32 %r0, 1; add.s32 %r1, %r0, 1; add.s32 %r2, %r1, 1; add.s32 %r3, %r2, 1;"
      "cvt.u64.u32 %d0, %r3; add.s64 %d1, %d0, 1; add.s64 %d2, %d1, 1; ret;");
  EXPECT_EQ(rows.all().narrow, 2U);  // source and destination of an instruction are apart
  EXPECT_EQ(rows.all().wide, 2U);
  EXPECT_EQ(rows.Of("%r0"), rows.Of("%r2"));
  EXPECT_NE(rows.Of("%r0"), rows.Of("%r1"));
}

TEST(RegisterRows, WhatALoopNeedsInItsNextTurnKeepsItsRow) {
  const Rows rows(
      "mov.u32 %r0, 5; mov.u32 %r1, 0;\n"
      "L: add.s32 %r1, %r1, %r0; add.s32 %r2, %r1, 1; add.s32 %r3, %r2, 2;"
      "setp.lt.s32 %p0, %r3, 9; @%p0 bra L; mov.u32 %r4, 1; add.s32 %r5, %r4, 1; ret;");
  for (const char* temporary : {"%r2", "%r3"}) {
    EXPECT_NE(rows.Of("%r0"), rows.Of(temporary));  // read at the loop's start again
    EXPECT_NE(rows.Of("%r1"), rows.Of(temporary));
  }
  EXPECT_EQ(rows.all().narrow, 4U);  // those after the loop take rows of before
}

TEST(RegisterRows, ReadBeforeItIsWrittenARegisterHasItsRowFromTheStart) {
  // It reads as zero: nobody may have used the row.
  const Rows rows("mov.u32 %r0, 7; add.s32 %r1, %r0, 1; add.s32 %r2, %r8, 1; ret;");
  EXPECT_NE(rows.Of("%r8"), rows.Of("%r0"));
  EXPECT_NE(rows.Of("%r8"), rows.Of("%r1"));
}

TEST(RegisterRows, AGuardedWriteKeepsWhatTheOtherLanesHold) {
  const Rows rows(
      "mov.u32 %r0, 1; setp.eq.s32 %p0, %r0, 1; mov.u32 %r2, 3; add.s32 %r3, %r2, 1;"
      "@%p0 mov.u32 %r0, 2; add.s32 %r1, %r0, 1; ret;");
  EXPECT_NE(rows.Of("%r0"), rows.Of("%r2"));
  EXPECT_NE(rows.Of("%r0"), rows.Of("%r3"));
}

TEST(RegisterRows, WhatIsWrittenAfterTheStepKeepsItsRowForTheWholeKernel) {
  const Rows rows(
      "mov.u64 %d0, 4096; mov.u32 %r0, 1; atom.global.add.u32 %r1, [%d0], %r0;"
      "mov.u32 %r2, 1; add.s32 %r3, %r2, 1; add.s32 %r4, %r3, 1; ret;");
  for (const char* other : {"%r0", "%r2", "%r3", "%r4"}) EXPECT_NE(rows.Of("%r1"), rows.Of(other));
}

TEST(RegisterRows, ThoseThatAreNeededFromTheSameInstructionOnTakeRowsInTheirOrder) {
  const Rows rows("mad.lo.s32 %r3, %r0, %r1, %r2; add.s32 %r4, %r3, 1; ret;");
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(rows.Of("%r" + std::to_string(i)), i);
  EXPECT_EQ(rows.Of("%r4"), 0U);
}

}  // namespace register_rows_test
}  // namespace flagstone::simt
