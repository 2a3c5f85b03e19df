// The rules of tensor memory (PTX ISA, section 9.7.16): what breaks one fails the run, with line
// and warp or thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/launch/findings.h"
#include "tests/unit/gpu_model/simt/tensor_memory_kernel.h"

namespace flagstone {
namespace tensor_memory_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string MessageOfRun(const std::string& body, uint32_t threads = 128) {
  return MessageOf(ErrorKind::kRunFailed, [&] { TensorMemoryRun(body, threads).Run(); });
}
// Between allocation and deallocation.
std::string MessageOfUse(const std::string& body) {
  return MessageOfRun(kAllocate + body + kDeallocate);
}

const std::string kLoad = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, ";
const std::string kStore = "tcgen05.st.sync.aligned.32x32b.x1.b32 ";
const std::string kWaitStores = "tcgen05.wait::st.sync.aligned;\n";

TEST(TensorMemory, IsAllocatedUsedAndFreed) {
  KernelRun run = TensorMemoryRun(
      kAllocate + kStore + "[%r5+3], {%r1};\n" + kWaitStores + kLoad + "[%r5+3];\n" +
      "mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd1; st.global.u32 [%rd4], %r10;\n" +
      kDeallocate);
  run.Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  for (uint32_t thread = 0; thread < 128; ++thread) EXPECT_EQ(out[thread], thread);
}

TEST(TensorMemory, AllocationsKeepTheirRules) {
  const auto alloc = [](const std::string& columns) {
    return "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], " + columns + ";\n";
  };
  EXPECT_THAT(
      MessageOfRun(alloc("48"), 32),
      AllOf(StartsWith("test.ptx:20: 48 columns of tensor memory, expected 32, 64, 128, 256 "
                       "or 512, by warp 0 of TB (0,0,0): tcgen05.alloc"),
            HasSubstr("[slot], 48")));
  EXPECT_THAT(MessageOfRun(alloc("1024"), 32), HasSubstr("1024 columns of tensor memory"));
  EXPECT_THAT(
      MessageOfRun(alloc("32") + alloc("64"), 32),
      HasSubstr(":21: 64 columns of tensor memory after 32, expected no more than before,"));
  EXPECT_THAT(MessageOfRun(alloc("512") + alloc("32"), 32),
              HasSubstr("32 columns of tensor memory, of which the TB holds 512 of 512,"));
  EXPECT_THAT(MessageOfRun(
                  "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" + alloc("32"), 32),
              HasSubstr("tcgen05.alloc after tcgen05.relinquish_alloc_permit of the TB,"));
  EXPECT_THAT(MessageOfRun("@%p1 " + alloc("32"), 32),
              HasSubstr("1 threads of a warp, expected all"));
  EXPECT_THAT(
      MessageOfRun(alloc("64"), 32),
      AllOf(
          StartsWith("test.ptx:20: 64 columns of tensor memory, which are not deallocated when the "
                     "TB ends,"),
          HasSubstr("by warp 0 of TB (0,0,0): tcgen05.alloc")));
}

TEST(TensorMemory, OnlyWhatWasAllocatedIsFreed) {
  const auto dealloc = [](const std::string& operands) {
    return "tcgen05.dealloc.cta_group::1.sync.aligned.b32 " + operands + ";\n";
  };
  EXPECT_THAT(MessageOfRun(dealloc("0, 32"), 32),
              HasSubstr("tcgen05.dealloc of 32 columns at 0x0, which no tcgen05.alloc gave,"));
  EXPECT_THAT(MessageOfUse("@%p4 bra END;\n" + dealloc("%r4, 32")),
              HasSubstr("tcgen05.dealloc of 32 columns at 0x0, which no tcgen05.alloc gave,"));
  EXPECT_THAT(MessageOfUse("@%p4 bra END;\n" + dealloc("%r4, 64") + dealloc("%r4, 64")),
              HasSubstr("which no tcgen05.alloc gave"));
}

TEST(TensorMemory, AWarpHasItsOwnLanesOfColumnsThatAreAllocated) {
  EXPECT_THAT(MessageOfUse(kLoad + "[%r4];\n"),
              HasSubstr("lanes 0 to 31 of tensor memory, expected all of 96 to 127, by warp 3"));
  EXPECT_THAT(MessageOfUse(kStore + "[%r5+65536], {%r1};\n"),
              HasSubstr("lanes 97 to 128 of tensor memory, expected all of 96 to 127, by warp 3"));
  EXPECT_THAT(
      MessageOfUse("tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r10}, [%r5+524288];\n"),
      HasSubstr(
          "lanes 104 to 119 of tensor memory, expected 16 or the next 16 of 96 to 127, by warp 3"));
  EXPECT_THAT(
      MessageOfUse(kLoad + "[%r5+64];\n"),
      AllOf(HasSubstr("columns 64 to 64 of tensor memory, of which the TB has not allocated "
                      "64, by thread (96,0,0) of TB (0,0,0)"),
            StartsWith("test.ptx:")));
  EXPECT_THAT(MessageOfUse("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r10, %r11}, [%r5+63];\n"),
              HasSubstr("columns 63 to 64 of tensor memory, of which the TB has not allocated 64"));
  EXPECT_THAT(MessageOfUse("tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r10}, [%r5], -16;\n"),
              HasSubstr("of tensor memory, of which the TB has not allocated 4294967280"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct("[%r4+60]")),
              HasSubstr("columns 60 to 67 of tensor memory, of which the TB has not allocated 64"));
  EXPECT_THAT(
      MessageOfUse("add.u32 %r5, %r5, %r1;\n" + kLoad + "[%r5];\n"),
      HasSubstr(
          "tensor memory at 0x600060 in lane 0 and 0x600061 in lane 1, expected one address"));
  EXPECT_THAT(MessageOfUse("@%p1 " + kLoad + "[%r5];\n"),
              HasSubstr("1 threads of a warp, expected all 32, by warp 0"));
}

TEST(TensorMemory, ASumIsReadAfterItsCommitAndAStoreAfterItsWait) {
  EXPECT_THAT(
      MessageOfUse(TensorMemoryProduct() + "bar.sync 0;\n" + kLoad + "[%r5];\n"),
      HasSubstr("read of column 0 of tensor memory, which the tcgen05.mma of line 25 by warp "
                "0 writes, before a tcgen05.commit, by thread"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct() + "bar.sync 0;\n" + kStore + "[%r5+7], {%r1};\n"),
              HasSubstr("write of column 7 of tensor memory, which the tcgen05.mma of line 25"));
  EXPECT_THAT(MessageOfUse("@%p1 tcgen05.shift.cta_group::1.down [%r4+8];\nbar.sync 0;\n" + kLoad +
                           "[%r5+8];\n"),
              HasSubstr("which the tcgen05.shift of line 25"));
  EXPECT_THAT(MessageOfUse("@%p1 tcgen05.cp.cta_group::1.4x256b [%r4], %rd2;\nbar.sync 0;\n" +
                           kLoad + "[%r5];\n"),
              HasSubstr("which the tcgen05.cp of line 25"));
  EXPECT_THAT(
      MessageOfUse(TensorMemoryProduct() +
                   "@%p4 bra END; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 64;\n"),
      HasSubstr("dealloc of column 0 of tensor memory, which the tcgen05.mma"));
  EXPECT_THAT(
      MessageOfUse(kStore + "[%r5], {%r1};\n" + kLoad + "[%r5];\n"),
      HasSubstr("read of column 0 of tensor memory, which the tcgen05.st of line 25 by warp 3 "
                "writes, before a tcgen05.wait::st, by thread (96,0,0)"));
  EXPECT_THAT(
      MessageOfUse(kStore + "[%r5], {%r1};\nbar.sync 0;\n" + TensorMemoryProduct()),
      HasSubstr("sum of column 0 of tensor memory, which the tcgen05.st of line 25 by warp 0"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct() + TensorMemoryProduct("[%r4+16]", "[%r4+4]")),
              HasSubstr("read of column 4 of tensor memory, which the tcgen05.mma of line 25"));
  EXPECT_THAT(
      MessageOfUse(TensorMemoryProduct() + "@%p1 tcgen05.cp.cta_group::1.4x256b [%r4], %rd2;\n"),
      HasSubstr("write of column 0 of tensor memory, which the tcgen05.mma of line 25"));
  EXPECT_THAT(MessageOfUse("@%p1 tcgen05.cp.cta_group::1.4x256b [%r4], %rd2;\n"
                           "@%p1 tcgen05.shift.cta_group::1.down [%r4];\n"),
              HasSubstr("shift of column 0 of tensor memory, which the tcgen05.cp of line 25"));
  // A commit, a wait, and everything is in order; products follow products and copies.
  TensorMemoryRun(kAllocate + kStore + "[%r5], {%r1};\n" + kWaitStores + "bar.sync 0;\n" +
                  "@%p1 tcgen05.cp.cta_group::1.128x256b [%r4+16], %rd2;\n" +
                  TensorMemoryProduct("[%r4]", "[%r4+16]") + TensorMemoryProduct() + kCommitted +
                  kAwaited + kLoad + "[%r5];\n" + kDeallocate)
      .Run();
}

TEST(TensorMemory, WhatALoadReadsIsWrittenAfterItsWait) {
  const std::string wait = "tcgen05.wait::ld.sync.aligned;\n";
  EXPECT_THAT(
      MessageOfUse(kLoad + "[%r5];\n" + kStore + "[%r5], {%r10};\n"),
      HasSubstr("write of column 0 of tensor memory, which the tcgen05.ld of line 25 by warp 3 "
                "reads, before a tcgen05.wait::ld, by thread (96,0,0)"));
  EXPECT_THAT(MessageOfUse(kLoad + "[%r5+7];\nbar.sync 0;\n" + TensorMemoryProduct()),
              HasSubstr("sum of column 7 of tensor memory, which the tcgen05.ld of line 25 by"));
  TensorMemoryRun(kAllocate + kLoad + "[%r5];\n" + wait + kStore + "[%r5], {%r10};\n" +
                  kWaitStores + "bar.sync 0;\n" + TensorMemoryProduct() + kCommitted + kAwaited +
                  kDeallocate)
      .Run();
}

// Other warps, and the other 16 lanes of a warp, have cells of their own.
TEST(TensorMemory, CellsOfOtherLanesAreFree) {
  TensorMemoryRun(kAllocate + kStore + "[%r5], {%r1};\n@%p4 bra WAIT;\n" + kWaitStores + kLoad +
                  "[%r5];\nWAIT: " + kWaitStores + kDeallocate)
      .Run();
  const std::string upper = "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r10}, [%r5+1048576];\n";
  TensorMemoryRun(kAllocate + TensorMemoryProduct() + "bar.sync 0;\n" + upper + kCommitted +
                  kAwaited + kDeallocate)
      .Run();
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct("[%r4+1048576]") + "bar.sync 0;\n" + upper),
              HasSubstr("read of column 0 of tensor memory, which the tcgen05.mma of line 25"));
}

TEST(TensorMemory, DescriptorsAreChecked) {
  const auto with = [](const std::string& register_name, const std::string& bits) {
    return MessageOfUse("mov.b64 " + register_name + ", " + bits + ";\n" + TensorMemoryProduct());
  };
  EXPECT_THAT(with("%rd2", "0x1000080000"),
              HasSubstr("the descriptor of A, 0x1000080000, has 0 in bits 46 to 48, expected 1, by "
                        "thread (0,0,0) of TB (0,0,0): @%p1 tcgen05.mma"));
  EXPECT_THAT(with("%rd3", "0x6000401000080000"),
              HasSubstr("the descriptor of B, 0x6000401000080000, "
                        "has swizzle 3, expected 0, 1, 2, 4 or 6"));
  EXPECT_THAT(with("%rd2", "0x0000401000084000"),
              HasSubstr("has bits 0x4000, which mean nothing, expected 0 there"));
  EXPECT_THAT(with("%rd2", "0x0010401000080000"), HasSubstr("a leading dimension as an address"));
  EXPECT_THAT(
      with("%rd2", "0x00004010000800f0"),
      HasSubstr("out-of-bounds matrix: the descriptor of A, 0x4010000800f0, leads to shared "
                "0x1"));
  EXPECT_THAT(
      with("%rd2", "0xc000401000080001"),
      HasSubstr("misaligned matrix: the descriptor of A, 0xc000401000080001, starts at 0x10, "
                "expected a multiple of 32 where rows are swizzled"));
  const auto word = [](const std::string& bits) {
    return MessageOfUse(TensorMemoryProduct("[%r4]", "%rd2", bits));
  };
  EXPECT_THAT(word("0x3020010"), HasSubstr("the instruction descriptor 0x3020010 has 48 rows, "
                                           "expected 64 or 128, by thread (0,0,0)"));
  EXPECT_THAT(word("0x4000010"), HasSubstr("0 columns, expected a multiple of 8 up to 256"));
  EXPECT_THAT(word("0x4020020"), HasSubstr("type 2 of D, which this kind has not"));
  EXPECT_THAT(word("0x4020110"), HasSubstr("type 2 of A, which this kind has not"));
  EXPECT_THAT(word("0x4021c10"), HasSubstr("type 7 of B, which this kind has not"));
  EXPECT_THAT(word("0x4020014"), HasSubstr("the bit of a sparse A, expected 0"));
  EXPECT_THAT(word("0x4020018"), HasSubstr("saturation, which only '.kind::i8' has"));
  EXPECT_THAT(word("0x24020010"), HasSubstr("bits 0x20000000, which mean nothing"));
  EXPECT_THAT(word("0x44020010"), HasSubstr("a shift of B, expected 0 without '.ws'"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct("[%r4]", "[%r4+16]", "0x4028010")),
              HasSubstr("a transpose of A, which lies in tensor memory"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct("[%r4+65536]")),
              HasSubstr("D from lane 1 of tensor memory, expected 0 or 16"));
  EXPECT_THAT(MessageOfUse(TensorMemoryProduct("[%r4]", "[%r4+1048592]")),
              HasSubstr("A from lane 16 of tensor memory, expected the lane of D"));
  EXPECT_THAT(MessageOfUse("@%p1 tcgen05.shift.cta_group::1.down [%r4+65536];\n"),
              HasSubstr("shift from lane 1 of tensor memory, expected 0, 32, 64 or 96"));
  EXPECT_THAT(MessageOfUse("@%p1 tcgen05.cp.cta_group::1.128x128b [%r4+65536], %rd2;\n"),
              HasSubstr("copy to lane 1 of tensor memory, expected less than 1"));
}

TEST(TensorMemory, RacesAreFoundWhereNoFenceOfProxiesOrdersStores) {
  const auto races = [](const std::string& fence) {
    Findings findings;
    findings.wants_races = true;
    KernelRun run = TensorMemoryRun(
        kAllocate + "shl.b32 %r7, %r1, 4;\nst.shared.u32 [%r7], %r1;\n" + fence + "bar.sync 0;\n" +
        TensorMemoryProduct() + kCommitted + kAwaited + kDeallocate);
    run.Into(&findings).Run();
    std::vector<std::string> texts;
    for (const Finding& finding : findings.List()) texts.push_back(finding.text);
    return texts;
  };
  EXPECT_THAT(races("fence.proxy.async;\n"), testing::IsEmpty());
  const std::vector<std::string> found = races("");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0], AllOf(HasSubstr("race on shared memory"), HasSubstr("tcgen05.mma"),
                              HasSubstr("without a fence.proxy.async between them")));
}

}  // namespace tensor_memory_test
}  // namespace flagstone
