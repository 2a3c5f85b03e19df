// malloc and free of device code, and calls through pointers, as compilers emit them.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace device_heap_test {

constexpr const char* kPrototypes =
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n";

std::string Malloc(const std::string& result, const std::string& bytes) {
  return "{ .param .b64 n; st.param.b64 [n], " + bytes +
         "; .param .b64 r; call.uni (r), malloc, (n); ld.param.b64 " + result + ", [r]; }\n";
}
std::string Free(const std::string& pointer) {
  return "{ .param .b64 p; st.param.b64 [p], " + pointer + "; call.uni free, (p); }\n";
}

std::vector<uint64_t> Outputs(const std::string& body, Dim3 grid = {1, 1, 1},
                              uint64_t heap = kDefaultHeapBytes) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
                 "mad.lo.u32 %r2, %r1, 32, %r0; mul.wide.u32 %rd1, %r2, 8; add.s64 %rd1, %rd0, "
                 "%rd1;\n" +
                     body + "ret;",
                 kPrototypes),
      grid, {32, 1, 1});
  run.WithExtras(heap).Buffer("out", std::vector<uint64_t>(grid.Count() * 32)).Run();
  return run.Contents<uint64_t>("out");
}

TEST(DeviceHeap, GivesEachThreadMemoryOfItsOwn) {
  const std::vector<uint64_t> out =
      Outputs(Malloc("%rd5", "40") +
                  "st.u32 [%rd5], %r2; st.u32 [%rd5+36], %r2; st.global.u64 [%rd1], %rd5;\n"
                  "ld.u32 %r3, [%rd5]; setp.ne.u32 %p1, %r3, %r2; @%p1 trap;\n",
              {4, 1, 1});
  const std::set<uint64_t> distinct(out.begin(), out.end());
  EXPECT_EQ(distinct.size(), out.size());
  uint64_t before = 0;
  for (const uint64_t address : distinct) {
    EXPECT_EQ(address % 16, 0U);
    EXPECT_GE(address - before, 40U);
    before = address;
  }
}

TEST(DeviceHeap, TakesBackWhatIsFreed) {
  // A heap with room for the 32 blocks of one warp alone, twenty times over.
  const std::string round = Malloc("%rd5", "1000") +
                            "setp.eq.u64 %p1, %rd5, 0; @%p1 trap; st.u64 [%rd5+992], %rd5;\n" +
                            Free("%rd5");
  std::string body;
  for (int i = 0; i < 20; ++i) body += round;
  Outputs(body, {1, 1, 1}, 32 * 1040);
}

TEST(DeviceHeap, IsNullWhereNothingIsLeft) {
  const std::vector<uint64_t> out =
      Outputs(Malloc("%rd5", "1008") + "st.global.u64 [%rd1], %rd5;\n", {1, 1, 1}, 8 * 1024);
  for (size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane] != 0, lane < 8) << lane;
  Outputs(Free("0"));  // does nothing
}

TEST(DeviceHeap, FailsWhereABlockIsFreedTwice) {
  const std::string message = MessageOf(ErrorKind::kRunFailed, [] {
    Outputs("setp.eq.u32 %p1, %r0, 0; @!%p1 bra END;\n" + Malloc("%rd5", "16") + Free("%rd5") +
            Free("%rd5") + "END:\n");
  });
  EXPECT_NE(message.find("malloc has not given out"), std::string::npos) << message;
}

constexpr const char* kFunctions =
    ".func (.param .b32 r) plus (.param .b32 x);\n"
    ".func (.param .b32 r) twice (.param .b32 x);\n"
    ".func (.param .b32 r) nested (.param .b32 x);\n"
    ".global .align 8 .u64 table[3] = {plus, twice, generic(nested)};\n"
    ".func (.param .b32 r) plus (.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, "
    "%a, 1; st.param.b32 [r], %a; ret; }\n"
    ".func (.param .b32 r) twice (.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, "
    "%a, %a; st.param.b32 [r], %a; ret; }\n"
    // Calls whatever stands in the table's second place.
    ".func (.param .b32 r) nested (.param .b32 x) { .reg .b32 %a; .reg .b64 %f; ld.param.b32 %a, "
    "[x]; ld.global.u64 %f, [table+8]; { .param .b32 p; st.param.b32 [p], %a; .param .b32 q; pr: "
    ".callprototype (.param .b32 _) _ (.param .b32 _); call (q), %f, (p), pr; ld.param.b32 %a, "
    "[q]; } add.u32 %a, %a, 100; st.param.b32 [r], %a; ret; }\n"
    ".func other (.param .b64 x) { ret; }\n";

std::vector<uint32_t> Call(const std::string& pointer, const std::string& guard = "") {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 out",
      "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.s64 %rd1, "
      "%rd0, %rd1; mov.u64 %rd9, other; mov.u32 %r3, 7; setp.lt.u32 %p1, %r0, 16;\n" +
          pointer +
          "{ .param .b32 p; st.param.b32 [p], %r0; .param .b32 q; proto: .callprototype "
          "(.param .b32 _) _ (.param .b32 _);\n" +
          guard + " call (q), %rd5, (p), proto;\n" + guard +
          " ld.param.b32 %r3, [q]; }\n"
          "st.global.u32 [%rd1], %r3; ret;",
      kFunctions));
  run.Buffer("out", std::vector<uint32_t>(32)).Run();
  return run.Contents<uint32_t>("out");
}

TEST(PointerCall, GoesToTheFunctionOfEachLane) {
  const std::vector<uint32_t> out = Call(
      "rem.u32 %r4, %r0, 3; mul.wide.u32 %rd4, %r4, 8; mov.u64 %rd6, table; add.s64 %rd6, "
      "%rd6, %rd4; ld.global.u64 %rd5, [%rd6];\n");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t expected = lane % 3 == 0 ? lane + 1 : lane % 3 == 1 ? 2 * lane : 2 * lane + 100;
    EXPECT_EQ(out[lane], expected) << lane;
  }
}

TEST(PointerCall, TakesTheAddressOfAFunctionInARegister) {
  const std::vector<uint32_t> out = Call("mov.u64 %rd5, twice;\n", "@%p1");
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane < 16 ? 2 * lane : 7);
}

TEST(PointerCall, FailsWhereItLeadsToNoFunctionOfItsShape) {
  for (const char* const pointer : {"mov.u64 %rd5, 0;\n", "mov.u64 %rd5, %rd9;\n"}) {
    const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { Call(pointer); });
    EXPECT_NE(message.find("call (q), %rd5"), std::string::npos) << message;
  }
}

}  // namespace device_heap_test
}  // namespace flagstone::conformance
