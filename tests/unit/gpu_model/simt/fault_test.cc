// Accesses that fail a run, with their whole messages.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace fault_test {

// TBs of 8 x 4 threads; thread and TB number give the element that is accessed.
std::string Fault(const std::string& body, const std::string& module_scope = "") {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 A, .param .u64 B",
                 "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                 "mad.lo.u32 %r3, %r2, 8, %r1;\nmul.wide.u32 %rd2, %r3, 4;\n"
                 "add.s64 %rd4, %rd1, %rd2;\n" +
                     body + "\nret;",
                 module_scope),
      {4, 2, 1}, {8, 4, 1});
  run.Buffer("A", std::vector<uint32_t>(20)).Buffer("B", std::vector<uint32_t>(8), false);
  return MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
}

TEST(OutOfBounds, LoadNamesThreadTbAndTheBufferThatEnds) {
  EXPECT_EQ(Fault("ld.global.f32 %f1, [%rd4];"),
            "test.ptx:19: out-of-bounds load of 4 bytes at 0x100000050 by thread (4,0,0) of TB "
            "(2,0,0): ld.global.f32 %f1, [%rd4]; \"A\" ends at 0x100000050");
}

TEST(OutOfBounds, StoreBeforeABuffer) {
  EXPECT_EQ(Fault("@%p1 bra END;\nst.global.v2.u32 [%rd4+-8], {%r1, %r2};\nEND:"),
            "test.ptx:20: out-of-bounds store of 8 bytes at 0xfffffff8 by thread (0,0,0) of TB "
            "(0,0,0): st.global.v2.u32 [%rd4+-8], {%r1, %r2}; \"A\" begins at 0x100000000");
}

TEST(OutOfBounds, AccessThatStraddlesTheEnd) {
  EXPECT_EQ(Fault("ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+64];\n"
                  "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+80];"),
            "test.ptx:20: out-of-bounds load of 16 bytes at 0x100000050 by thread (0,0,0) of TB "
            "(0,0,0): ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+80]; \"A\" ends at "
            "0x100000050");
}

TEST(OutOfBounds, OfALaneThatIsNotActiveIsNoFault) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 A",
                 "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                 "add.s64 %rd1, %rd1, %rd2;\nsetp.lt.u32 %p1, %r1, 20;\n"
                 "@%p1 st.global.u32 [%rd1], %r1;\nret;"));
  run.Buffer("A", std::vector<uint32_t>(20)).Run();
  EXPECT_EQ(run.Contents<uint32_t>("A").at(19), 19U);
}

TEST(OutOfBounds, Atomic) {
  EXPECT_EQ(Fault("red.global.add.u32 [%rd4+16], 1;"),
            "test.ptx:19: out-of-bounds atomic of 4 bytes at 0x100000050 by thread (0,0,0) of TB "
            "(2,0,0): red.global.add.u32 [%rd4+16], 1; \"A\" ends at 0x100000050");
}

TEST(OutOfBounds, SharedAndLocalMemory) {
  EXPECT_EQ(Fault(".shared .align 4 .b8 tile[16];\nmov.u64 %rd5, tile;\nadd.s64 %rd5, %rd5, %rd2;\n"
                  "st.shared.u32 [%rd5], %r1;"),
            "test.ptx:22: out-of-bounds store of 4 bytes at shared 0x10 by thread (4,0,0) of TB "
            "(0,0,0): st.shared.u32 [%rd5], %r1; the TB has 16 bytes of shared memory");
  EXPECT_EQ(Fault(".local .align 4 .b8 stack[8];\nmov.u64 %rd5, stack;\n"
                  "ld.local.u32 %r4, [%rd5+8];"),
            "test.ptx:21: out-of-bounds load of 4 bytes at local 0x8 by thread (0,0,0) of TB "
            "(0,0,0): ld.local.u32 %r4, [%rd5+8]; a thread has 8 bytes of local memory");
}

TEST(OutOfBounds, GenericAddressSaysItsSpace) {
  EXPECT_EQ(
      Fault(".shared .align 4 .b8 tile[16];\ncvta.shared.u64 %rd5, %rd2;\nld.u32 %r4, [%rd5];"),
      "test.ptx:21: out-of-bounds load of 4 bytes at shared 0x10 by thread (4,0,0) of TB "
      "(0,0,0): ld.u32 %r4, [%rd5]; the TB has 16 bytes of shared memory");
}

TEST(OutOfBounds, NamesTheNearestBufferAndTheParameters) {
  // B begins 512 bytes behind A's beginning: what lies between belongs to the nearer one.
  EXPECT_NE(Fault("ld.global.u32 %r4, [%rd1+292];").find("\"A\" ends at 0x100000050"),
            std::string::npos);
  EXPECT_NE(Fault("ld.global.u32 %r4, [%rd1+300];").find("\"B\" begins at 0x100000200"),
            std::string::npos);
  EXPECT_EQ(Fault("mov.u64 %rd5, A;\nld.param.u32 %r4, [%rd5+16];"),
            "test.ptx:20: out-of-bounds load of 4 bytes at param 0x10 by thread (0,0,0) of TB "
            "(0,0,0): ld.param.u32 %r4, [%rd5+16]; the kernel has 16 bytes of parameters");
}

TEST(OutOfBounds, AddressOfAnotherTbsSharedMemoryInOnesOwn) {
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 ".shared .align 4 .b8 tile[16];\nmov.u32 %r1, tile;\n"
                 "mapa.shared::cluster.u32 %r2, %r1, 1;\nld.shared.u32 %r3, [%r2];\nret;"),
      {2, 1, 1}, {1, 1, 1});
  run.Cluster({2, 1, 1});
  EXPECT_NE(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); })
                .find("out-of-bounds load of 4 bytes at shared 0x2000000"),
            std::string::npos);
}

TEST(OutOfBounds, AddressesThatWrapAroundAreCaught) {
  EXPECT_EQ(Fault("ld.global.u32 %r4, [%rd2+-4];"),
            "test.ptx:19: out-of-bounds load of 4 bytes at 0xfffffffffffffffc by thread (0,0,0) "
            "of TB (0,0,0): ld.global.u32 %r4, [%rd2+-4]; \"B\" ends at 0x100000220");
}

TEST(Misaligned, GlobalLoad) {
  EXPECT_EQ(Fault("add.s64 %rd4, %rd4, 2;\nld.global.u32 %r4, [%rd4];"),
            "test.ptx:20: misaligned load of 4 bytes at 0x100000002 by thread (0,0,0) of TB "
            "(0,0,0): ld.global.u32 %r4, [%rd4]");
}

TEST(Misaligned, VectorsAreAlignedToTheirWholeSize) {
  EXPECT_EQ(Fault("ld.global.v2.u32 {%r4, %r5}, [%rd1+8];\n"
                  "ld.global.v2.u32 {%r4, %r5}, [%rd1+4];"),
            "test.ptx:20: misaligned load of 8 bytes at 0x100000004 by thread (0,0,0) of TB "
            "(0,0,0): ld.global.v2.u32 {%r4, %r5}, [%rd1+4]");
}

TEST(Misaligned, SharedStore) {
  EXPECT_EQ(Fault(".shared .align 4 .b8 tile[64];\nst.shared.u16 [tile+1], %rs1;"),
            "test.ptx:20: misaligned store of 2 bytes at shared 0x1 by thread (0,0,0) of TB "
            "(0,0,0): st.shared.u16 [tile+1], %rs1");
}

TEST(ReadOnly, StoreIsRefusedAndLoadIsNot) {
  EXPECT_EQ(Fault("ld.param.u64 %rd5, [B];\nld.global.u32 %r4, [%rd5];\n"
                  "st.global.u32 [%rd5], %r4;"),
            "test.ptx:21: read-only memory: store of 4 bytes at 0x100000200 by thread (0,0,0) of "
            "TB (0,0,0): st.global.u32 [%rd5], %r4");
}

TEST(Trap, NamesTheFirstThread) {
  EXPECT_EQ(Fault("setp.eq.u32 %p1, %r3, 9;\n@%p1 trap;"),
            "test.ptx:20: trap by thread (1,0,0) of TB (1,0,0): @%p1 trap");
}

}  // namespace fault_test
}  // namespace flagstone
