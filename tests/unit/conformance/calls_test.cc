// Calls, brx.idx, and what the host serves of device code, with pointers of 64 and of 32 bits (PTX
// ISA, section 9.7.12): what they compute, print and say.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/spelled_forms.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace calls_test {

using ptx::Opcode;
using ptx::Type;

struct Pointers {
  Type type = Type::kU64;
  std::string bits() const { return type == Type::kU32 ? "b32" : "b64"; }
  std::string u() const { return type == Type::kU32 ? "u32" : "u64"; }
  std::string reg(int n) const { return (type == Type::kU32 ? "%r" : "%rd") + std::to_string(n); }
};

class Calls : public testing::TestWithParam<Type> {
 protected:
  // One warp: `body` may use %r1, the thread, and where its word of `out` is, in register 2 of a
  // pointer's size.
  KernelRun Prepared(const std::string& body, const std::vector<Opcode>& covered) const {
    const std::string wide = p.type == Type::kU32 ? "mul.lo.u32 " : "mul.wide.u32 ";
    const std::string text = "ld.param." + p.u() + " " + p.reg(20) +
                             ", [out]; mov.u32 %r1, %tid.x;\n" + wide + p.reg(21) +
                             ", %r1, 4; add." + p.u() + " " + p.reg(22) + ", " + p.reg(20) + ", " +
                             p.reg(21) + ";\n" + body + "\nret;";
    KernelRun run = KernelRun::FromText(ModuleText(".param ." + p.u() + " out", text, p.type));
    run.WithExtras(1 << 16).Buffer("out", std::vector<uint32_t>(32, 77));
    CoverOpcodes(*run.launch().kernel, covered);
    return run;
  }
  std::string Address(int n, const std::string& variable) const {
    return "mov." + p.bits() + " " + p.reg(n) + ", " + variable + ";\n";
  }

  const Pointers p{GetParam()};
};

TEST_P(Calls, MallocGivesEachThreadRoomAndFreeTakesItBack) {
  // The second round finds the blocks of the first.
  const std::string body =
      "mov." + p.bits() + " " + p.reg(5) + ", 24;\n" + CallText("call malloc", p.type) +
      "\nst.u32 [" + p.reg(6) + "], %r1; st.u32 [" + p.reg(6) + "+20], %r1; mov." + p.bits() + " " +
      p.reg(9) + ", " + p.reg(6) + ";\nld.u32 %r10, [" + p.reg(6) + "+20];\n" +
      CallText("call free", p.type) + "\nmov." + p.bits() + " " + p.reg(5) + ", 24;\n" +
      CallText("call malloc", p.type) + "\nsetp.ne.u32 %p1, %r10, %r1; @%p1 trap;\n" +
      (p.type == Type::kU32 ? "mov.u32 %r11, %r6;" : "cvt.u32.u64 %r11, %rd6;") +
      "\nst.global.u32 [" + p.reg(22) + "], %r11;";
  KernelRun run = Prepared(body, {Opcode::kAllocate, Opcode::kFree});
  run.Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  const std::set<uint32_t> distinct(out.begin(), out.end());
  ASSERT_EQ(distinct.size(), 32U);
  uint32_t before = 0;
  for (const uint32_t address : distinct) {
    EXPECT_GE(address - before, 24U);
    before = address;
  }
  // 32 blocks of 24 bytes, not 64: what was freed was given again.
  EXPECT_LT(*distinct.rbegin() - *distinct.begin(), 32U * 64);
}

// "%d;" and a zero; in %r12 the number.
TEST_P(Calls, VprintfPrintsLaneByLaneAndCountsItsArguments) {
  const std::string body = ".local .align 8 .b8 room[16]; .local .align 8 .b8 text[8];\n" +
                           Address(5, "text") + Address(6, "room") + "st.local.u32 [" + p.reg(5) +
                           "], 0x003b6425; mul.lo.u32 %r12, %r1, 3; " + "st.local.u32 [" +
                           p.reg(6) + "], %r12;\ncvta.local." + p.u() + " " + p.reg(5) + ", " +
                           p.reg(5) + "; cvta.local." + p.u() + " " + p.reg(6) + ", " + p.reg(6) +
                           ";\n" + CallText("call vprintf", p.type) + "\nst.global.u32 [" +
                           p.reg(22) + "], %r7;";
  KernelRun run = Prepared(body, {Opcode::kPrint});
  testing::internal::CaptureStderr();
  run.Run();
  std::string expected;
  for (int lane = 0; lane < 32; ++lane) expected += std::to_string(3 * lane) + ";";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), expected);
  EXPECT_EQ(run.Contents<uint32_t>("out"), std::vector<uint32_t>(32, 1));
}

TEST_P(Calls, AssertfailSaysWhatFailedAndWhere) {
  const std::string body =
      ".local .align 8 .b8 text[8];\n" + Address(5, "text") + "st.local.u32 [" + p.reg(5) +
      "], 0x00413c42;\ncvta.local." + p.u() + " " + p.reg(5) + ", " + p.reg(5) + "; mov." +
      p.bits() + " " + p.reg(6) + ", " + p.reg(5) + "; mov." + p.bits() + " " + p.reg(8) + ", " +
      p.reg(5) + "; mov.u32 %r7, 57;\nsetp.ne.u32 %p1, %r1, 9; @%p1 bra DONE;\n" +
      CallText("call __assertfail", p.type) + "\nDONE:";
  KernelRun run = Prepared(body, {Opcode::kAssertFail});
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_NE(message.find("assertion 'B<A' failed in 'B<A', "), std::string::npos) << message;
  // The line's register is the pointer's too where both have 32 bits.
  EXPECT_NE(message.find("by thread (9,0,0) of TB (0,0,0)"), std::string::npos) << message;
}

TEST_P(Calls, OfFunctionsComeBackAndIndexedBranchesGoToTheirLabel) {
  const std::string body =
      CallText("call", p.type) +
      "\nrem.u32 %r10, %r1, 3; mov.u32 %r11, 0;\n"
      "LIST: .branchtargets A, B, C;\nbrx.idx %r10, LIST;\n"
      "A: add.u32 %r11, %r11, 1;\nB: add.u32 %r11, %r11, 10;\nC: add.u32 %r11, %r11, 100;\n"
      "st.global.u32 [" +
      p.reg(22) + "], %r11;";
  KernelRun run = Prepared(body, {Opcode::kCall});
  ptx::Instruction branch;  // once parsed it is a chain of branches
  branch.opcode = Opcode::kBrx;
  Cover(branch);
  run.Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane % 3 == 0 ? 111U : lane % 3 == 1 ? 110U : 100U);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Calls, testing::Values(Type::kU64, Type::kU32),
                         [](const auto& type) { return std::string(ptx::ToString(type.param)); });

}  // namespace calls_test
}  // namespace flagstone::conformance
