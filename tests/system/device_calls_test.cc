// printf, assert and refused instructions, seen by the user of `flagstone run`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace device_calls_test {

using ::testing::HasSubstr;

// Entries that print, fail an assertion for the threads of warp 1, and hold an instruction that is
// not executed.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.global .b8 format[7] = {84, 66, 32, 37, 100, 10};
.global .b8 small[6] = {105, 32, 60, 32, 52};
.entry prints(.param .u64 a) {
.reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p<2>; .local .b32 args[1];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; st.local.u32 [args], %r1;
setp.ne.u32 %p1, %r2, 0; @%p1 ret;
mov.u64 %rd1, format; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, args; cvta.local.u64 %rd2, %rd2;
call (%r3), vprintf, (%rd1, %rd2); ret; }
.entry asserts(.param .u64 a) {
.reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p<2>;
mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 32;
mov.u64 %rd1, small; cvta.global.u64 %rd1, %rd1;
@!%p1 call __assertfail, (%rd1, %rd1, 4, %rd1, 1); ret; }
.entry half(.param .u64 a) { .reg .b32 %r<4>;
tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned; ret; }
)";

class DeviceCalls : public ::testing::Test {
 protected:
  CommandResult RunEntry(const std::string& entry, const std::string& options) {
    std::ofstream(scratch_.File("own.ptx")) << kPtx;
    std::ofstream(scratch_.File("workload.toml"))
        << "name = \"own\"\n[buffer.A]\ntype = \"u32\"\ncount = 64\nfill = \"zero\"\n[[launch]]\n"
           "ptx = \"own.ptx\"\nentry = \""
        << entry << "\"\ngrid = [4]\nblock = [64]\nargs = [\"A\"]\n";
    return RunFlagstone("run " + scratch_.File("workload.toml") + " --machine tiny " + options);
  }

  ScratchFolder scratch_;
};

TEST_F(DeviceCalls, PrintfGoesToStderrInTheSameOrderEachTime) {
  const CommandResult once = RunEntry("prints", "--json -q");
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_FALSE(nlohmann::json::parse(once.out, nullptr, false).is_discarded()) << once.out;
  for (const char* line : {"TB 0\n", "TB 1\n", "TB 2\n", "TB 3\n"}) {
    EXPECT_THAT(once.err, HasSubstr(line));
  }
  EXPECT_EQ(once.err.size(), 20U) << once.err;
  EXPECT_EQ(RunEntry("prints", "--json -q").err, once.err);
  EXPECT_EQ(RunEntry("prints", "-q --engine lockstep").err, once.err);
}

TEST_F(DeviceCalls, AFailedAssertionFailsTheRunInOneLine) {
  const CommandResult result = RunEntry("asserts", "-q");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("own.ptx:18: assertion 'i < 4' failed in 'i < 4', line 4 of "
                                    "'i < 4', by thread (32,0,0) of TB (0,0,0)"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(DeviceCalls, AKernelWithAnInstructionThatIsNotExecutedIsBadInput) {
  const CommandResult result = RunEntry("half", "-q");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(
      result.err,
      HasSubstr(
          "own.ptx:20:1: entry 'half' cannot run: this instruction is not supported (pairs of "
          "thread blocks): 'tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned'"));
}

}  // namespace device_calls_test
}  // namespace flagstone
