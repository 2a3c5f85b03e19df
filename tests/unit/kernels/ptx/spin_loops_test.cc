// Which loops a thread may wait in for another thread.
#include "kernels/ptx/spin_loops.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace spin_loops_test {

// The lines, counted from the body's first, of branches whose target or next instruction spins.
struct Found {
  std::vector<uint32_t> at_target, at_next;
};
Found Spins(const std::string& body) {
  const std::unique_ptr<Module> module = ParseBody(body);
  const Kernel& kernel = *module->kernels.at(0);
  const std::vector<Stays> stays = FindSpinLoops(kernel, ControlFlow(kernel));
  Found found;
  for (uint32_t pc = 0; pc < stays.size(); ++pc) {
    if (stays[pc] == Stays::kAtTarget) found.at_target.push_back(pc);
    if (stays[pc] == Stays::kAtNext) found.at_next.push_back(pc);
  }
  return found;
}

using Lines = std::vector<uint32_t>;

TEST(SpinLoops, ALockThatIsSwappedIsOne) {
  const Found found = Spins(
      "ld.param.u64 %rd1, [buffer];\nSPIN: atom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
      "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra SPIN;\nret;");
  EXPECT_EQ(found.at_target, Lines{3});
  EXPECT_EQ(found.at_next, Lines{});
}

TEST(SpinLoops, AFlagThatIsReadAtAnAddressComputedAnewEachTimeIsOne) {
  const Found found = Spins(
      "ld.param.u64 %rd1, [buffer];\nSPIN: add.s64 %rd2, %rd1, 8;\nld.volatile.global.u32 %r1, "
      "[%rd2];\n"
      "and.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 1;\n@%p1 bra DONE;\nbra SPIN;\nDONE: ret;");
  EXPECT_EQ(found.at_target, Lines{});
  EXPECT_EQ(found.at_next, Lines{5});
}

TEST(SpinLoops, LoopsThatEndByThemselvesAreNone) {
  const std::string begin = "ld.param.u64 %rd1, [buffer];\nmov.u32 %r2, 0;\n";
  const std::string counts = "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 9;\n@%p2 bra LOOP;\n";
  for (const std::string& loop :
       {// a list that is walked
        std::string("LOOP: ld.global.u64 %rd1, [%rd1];\nsetp.ne.s64 %p1, %rd1, 0;\n"
                    "@%p1 bra LOOP;\n"),
        // a flag, but for some turns only
        "LOOP: ld.global.u32 %r1, [%rd1];\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra DONE;\n" + counts,
        // a sum over an array
        "LOOP: ld.global.u32 %r1, [%rd1];\nadd.s64 %rd1, %rd1, 4;\n" + counts,
        // no way out
        std::string("LOOP: bra LOOP;\n")}) {
    const Found found = Spins(begin + loop + "DONE: ret;");
    EXPECT_EQ(found.at_target, Lines{}) << loop;
    EXPECT_EQ(found.at_next, Lines{}) << loop;
  }
}

TEST(SpinLoops, TheOuterOfTwoIsFoundToo) {
  // Test, and test and set.
  const Found found = Spins(
      "ld.param.u64 %rd1, [buffer];\nSPIN: ld.volatile.global.u32 %r1, [%rd1];\n"
      "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra SPIN;\natom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
      "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra SPIN;\nret;");
  EXPECT_EQ(found.at_target, (Lines{3, 6}));
}

TEST(SpinLoops, AnMbarrierThatIsTriedIsOne) {
  const Found found = Spins(
      ".shared .align 8 .b64 bar;\nmov.u32 %r2, 0;\n"
      "SPIN: mbarrier.try_wait.parity.shared.b64 %p1, [bar], %r2;\n@%p1 bra DONE;\nbra SPIN;\n"
      "DONE: ret;");
  EXPECT_EQ(found.at_next, Lines{2});
}

}  // namespace spin_loops_test
}  // namespace flagstone::ptx
