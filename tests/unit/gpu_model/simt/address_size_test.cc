// Modules with pointers of 32 bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace address_size_test {

using Ints = std::vector<uint32_t>;

std::string Text(const std::string& body, const std::string& module_scope = "") {
  return ".version 3.2\n.target sm_30\n.address_size 32\n" + module_scope +
         "\n.entry k(.param .u32 out)\n{ .reg .pred %p<8>; .reg .b32 %r<20>; .local .b32 mine[4];\n"
         ".shared .b32 tile[32]; ld.param.u32 %r1, [out]; mov.u32 %r2, %tid.x;\n" +
         body + "\nshl.b32 %r5, %r2, 2; add.u32 %r1, %r1, %r5; st.global.u32 [%r1], %r4; ret; }\n";
}

Ints OutOf(const std::string& text) {
  KernelRun run = KernelRun::FromText(text);
  run.Buffer("out", Ints(32, 77));
  run.Run();
  return run.Contents<uint32_t>("out");
}

TEST(AddressSize32, ReachesGlobalConstSharedAndLocalMemory) {
  const Ints out = OutOf(Text(
      "shl.b32 %r3, %r2, 2; mov.u32 %r6, tile; add.u32 %r6, %r6, %r3; st.shared.u32 [%r6+0], %r2;\n"
      "bar.sync 0; xor.b32 %r7, %r3, 4; mov.u32 %r8, tile; add.u32 %r8, %r8, %r7;\n"
      "add.u32 %r8, %r8, 4; ld.shared.u32 %r4, [%r8+-4]; mov.u32 %r9, mine;\n"
      "st.local.u32 [%r9+8], 1000; ld.local.u32 %r10, [mine+8]; add.u32 %r4, %r4, %r10;\n"
      "and.b32 %r11, %r3, 12; mov.u32 %r12, table; add.u32 %r12, %r12, %r11;\n"
      "ld.const.u32 %r13, [%r12]; add.u32 %r4, %r4, %r13;",
      ".const .u32 table[4] = {10000, 20000, 30000, 40000};"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i ^ 1) + 1000 + 10000 * (i % 4 + 1)) << i;
}

TEST(AddressSize32, FollowsGenericPointersIntoEachSpace) {
  // Lanes take turns between a global, a shared and a local address in one instruction.
  const Ints out = OutOf(Text(
      "shl.b32 %r3, %r2, 2; mov.u32 %r6, tile; add.u32 %r6, %r6, %r3; st.shared.u32 [%r6], 100;\n"
      "cvta.shared.u32 %r6, %r6; st.local.u32 [mine], 200; mov.u32 %r7, mine;\n"
      "cvta.local.u32 %r7, %r7; mov.u32 %r8, cell; cvta.global.u32 %r8, %r8;\n"
      "and.b32 %r9, %r2, 3; setp.eq.u32 %p1, %r9, 1; selp.b32 %r10, %r6, %r8, %p1;\n"
      "setp.eq.u32 %p2, %r9, 2; selp.b32 %r10, %r7, %r10, %p2; ld.u32 %r4, [%r10];\n"
      "cvta.to.local.u32 %r11, %r7; ld.local.u32 %r12, [%r11]; add.u32 %r4, %r4, %r12;",
      ".global .u32 cell = 300;"));
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], 200 + (i % 4 == 1 ? 100U : i % 4 == 2 ? 200U : 300U)) << i;
  }
}

TEST(AddressSize32, PrintsAndPassesPointersOfFourBytes) {
  const std::string prototypes =
      ".extern .func (.param .b32 r) vprintf(.param .b32 f, .param .b32 a);\n"
      ".global .b8 format[9] = {37, 115, 58, 37, 100, 44, 0, 104, 0};\n";  // "%s:%d," "h"
  KernelRun run = KernelRun::FromText(
      Text("mov.u32 %r3, format; cvta.global.u32 %r3, %r3; add.u32 %r6, %r3, 7;\n"
           "st.local.u32 [mine], %r6; st.local.u32 [mine+4], %r2; mov.u32 %r7, mine;\n"
           "cvta.local.u32 %r7, %r7; call (%r4), vprintf, (%r3, %r7);",
           prototypes),
      {1, 1, 1}, {3, 1, 1});
  run.Buffer("out", Ints(32));
  testing::internal::CaptureStderr();
  run.Run();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "h:0,h:1,h:2,");
}

TEST(AddressSize32, ReadsLongNumbersAndPointersOfFourBytesInAPrint) {
  const std::string prototypes =
      ".extern .func (.param .b32 r) vprintf(.param .b32 f, .param .b32 a);\n"
      ".global .b8 format[12] = {37, 108, 100, 32, 37, 112, 32, 37, 108, 117, 0};\n";  // %ld %p %lu
  KernelRun run = KernelRun::FromText(
      Text("mov.u32 %r3, format; cvta.global.u32 %r3, %r3; st.local.u32 [mine], -5;\n"
           "st.local.u32 [mine+4], 4096; st.local.u32 [mine+8], 7; mov.u32 %r7, mine;\n"
           "cvta.local.u32 %r7, %r7; call (%r4), vprintf, (%r3, %r7);",
           prototypes),
      {1, 1, 1}, {1, 1, 1});
  run.Buffer("out", Ints(32));
  testing::internal::CaptureStderr();
  run.Run();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "-5 0x1000 7");
}

TEST(AddressSize32, NamesTheBufferThatAnAccessMissed) {
  KernelRun run = KernelRun::FromText(Text("mov.u32 %r4, 0; add.u32 %r1, %r1, 4;"));
  run.Buffer("out", Ints(32));
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_NE(message.find("at 0x10000080 by thread (31,0,0)"), std::string::npos) << message;
}

}  // namespace address_size_test
}  // namespace flagstone
