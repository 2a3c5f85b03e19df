// cp.reduce.async.bulk (PTX ISA, section 9.7.9.25.4.2): every form, element by element against a
// host oracle, to global memory and to shared memory.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/reduction_oracle.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"
#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone::conformance {
namespace bulk_reduce_test {

using ptx::AtomicOp;
using ptx::Opcode;
using ptx::Type;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

constexpr uint32_t kBytes = 1200;  // of a copy: more than an issue takes
constexpr uint32_t kAt = 16;       // where it begins, in the middle of a sector
constexpr uint32_t kWhole = 1280;

// Thread 0 reduces what the TB has brought from `in` to shared memory; %rd2 is `out`, which for
// copies to shared memory holds the other operand before, and the result behind.
std::string Kernel(const ptx::Instruction& form, const std::string& head) {
  const std::string body =
      ".shared .align 16 .b8 from[1280];\n.shared .align 16 .b8 to[1280];\n"
      ".shared .align 8 .b64 bar;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
      "setp.eq.u32 %p1, %r1, 0;\nmul.wide.u32 %rd3, %r1, 4;\nshl.b32 %r2, %r1, 2;\n"
      "mov.u32 %r3, from;\nmov.u32 %r4, to;\nmov.u32 %r5, bar;\nmov.u32 %r6, 1200;\n"
      "add.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\nadd.u32 %r7, %r3, %r2;\n"
      "add.u32 %r8, %r4, %r2;\nld.global.u32 %r9, [%rd4];\nst.shared.u32 [%r7], %r9;\n"
      "ld.global.u32 %r10, [%rd5];\nst.shared.u32 [%r8], %r10;\n"
      "@%p1 mbarrier.init.shared.b64 [%r5], 1;\nbar.sync 0;\n";
  if (form.modifiers.to) {
    return body + "@%p1 " + head +
           " [%rd2+16], [%r3+16], %r6;\n@%p1 cp.async.bulk.commit_group;\n"
           "@%p1 cp.async.bulk.wait_group 0;\nret;";
  }
  return body + "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 1200;\n@%p1 " + head +
         " [%r4+16], [%r3+16], %r6, [%r5];\n"
         "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r5], 0;\n@!%p2 bra WAIT;\n"
         "ld.shared.u32 %r10, [%r8];\nst.global.u32 [%rd5], %r10;\nret;";
}

KernelRun RunOf(const ptx::Instruction& form, const std::string& head, const Bytes& in,
                const Bytes& out) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 in, .param .u64 out", Kernel(form, head)),
                          {1, 1, 1}, {kWhole / 4, 1, 1});
  run.Buffer("in", in).Buffer("out", out);
  return run;
}

Bytes Elements(AtomicOp op, Type type, uint64_t seed) {
  SplitMix64 random(seed);
  const auto size = static_cast<size_t>(ptx::SizeInBytes(type));
  Bytes bytes(kWhole);
  for (size_t at = 0; at < bytes.size(); at += size) {
    uint64_t value = random.Next();
    if (op == AtomicOp::kInc || op == AtomicOp::kDec) value %= 4;
    if (ptx::IsFloat(type)) value = BitsOf(type, 0.25 * (static_cast<double>(value % 255) - 127));
    std::memcpy(bytes.data() + at, &value, size);
  }
  return bytes;
}

Bytes Expected(const ptx::Instruction& form, const Bytes& in, Bytes out) {
  const auto size = static_cast<size_t>(ptx::SizeInBytes(form.type));
  for (size_t at = kAt; at < kAt + kBytes; at += size) {
    uint64_t old = 0, operand = 0;
    std::memcpy(&old, out.data() + at, size);
    std::memcpy(&operand, in.data() + at, size);
    const uint64_t result = Reduced(form.modifiers.atomic_op, form.type, old, operand);
    std::memcpy(out.data() + at, &result, size);
  }
  return out;
}

std::vector<Form> Reductions() {
  std::vector<Form> forms;
  for (const Form& form : FormsOf({Opcode::kCpAsync})) {
    const bool plain = form.instruction.modifiers.async_op == ptx::AsyncOp::kBulkCopy;
    if (plain && form.instruction.modifiers.reduce) forms.push_back(form);
  }
  return forms;
}

TEST(BulkReduce, CombinesEachElementWithTheOneAtItsDestination) {
  EXPECT_EQ(Reductions().size(), 27U + 12U);
  for (const Form& form : Reductions()) {
    const AtomicOp op = form.instruction.modifiers.atomic_op;
    const Bytes in = Elements(op, form.instruction.type, 1);
    const Bytes out = Elements(op, form.instruction.type, 2);
    KernelRun run = RunOf(form.instruction, form.head, in, out);
    run.Run();
    EXPECT_EQ(run.Contents<uint8_t>("out"), Expected(form.instruction, in, out)) << form.head;
    Cover(form.instruction);
  }
}

// With timing, what goes to global memory waits for the commit.
TEST(BulkReduce, ReachesGlobalMemoryAtTheCommit) {
  for (const Form& form : Reductions()) {
    if (!form.instruction.modifiers.to) continue;
    const AtomicOp op = form.instruction.modifiers.atomic_op;
    const Bytes in = Elements(op, form.instruction.type, 3);
    const Bytes out = Elements(op, form.instruction.type, 4);
    KernelRun run = RunOf(form.instruction, form.head, in, out);
    SingleBlock single(run);
    const uint32_t warps = kWhole / 4 / 32;
    for (uint32_t warp = 0; warp < warps; ++warp) {
      while (!single.block.exited(warp) && !single.block.at_barrier(warp)) single.Step(warp);
    }
    for (uint32_t warp = 0; warp < warps; ++warp) {
      while (!single.block.exited(warp)) single.Step(warp);
    }
    EXPECT_EQ(run.Contents<uint8_t>("out"), out) << form.head << " before the commit";
    single.executor.Commit();
    EXPECT_EQ(run.Contents<uint8_t>("out"), Expected(form.instruction, in, out)) << form.head;
  }
}

// Subnormals of f32 become zeros, those of halves do not; of a number and a NaN the number wins.
TEST(BulkReduce, TreatsSubnormalsAndNansAsTheIsaSays) {
  const auto reduce = [](const std::string& operation, uint32_t old, uint32_t operand) {
    KernelRun run = KernelRun::FromText(
        KernelText(".param .u64 out",
                   ".shared .align 16 .b8 from[16];\nld.param.u64 %rd1, [out];\n" +
                       fmt::format("st.shared.u32 [from], {};\n", operand) +
                       "mov.u32 %r1, 16;\ncp.reduce.async.bulk.global.shared::cta.bulk_group." +
                       operation + " [%rd1], [from], %r1;\ncp.async.bulk.commit_group;\nret;"),
        {1, 1, 1}, {1, 1, 1});
    run.Buffer("out", std::vector<uint32_t>{old, 0, 0, 0}).Run();
    return run.Contents<uint32_t>("out")[0];
  };
  EXPECT_EQ(reduce("add.f32", 0x00000003, 0x80000005), 0U);
  EXPECT_EQ(reduce("add.f32", 0x3f800000, 0x00400000), 0x3f800000U);
  EXPECT_EQ(reduce("add.noftz.f16", 0x00030001, 0x00050002), 0x00080003U);
  EXPECT_EQ(reduce("add.noftz.bf16", 0x00030001, 0x00050002), 0x00080003U);
  EXPECT_EQ(reduce("min.f16", 0x7e003c00, 0x3c007e00), 0x3c003c00U);
  EXPECT_EQ(reduce("max.bf16", 0x80003f80, 0x00007fc0), 0x00003f80U);
}

TEST(BulkReduce, IsReadAndRefusedWhereTheIsaHasNoSuchForm) {
  const auto refusal = [](const std::string& text) {
    const auto module = ptx::Parse(KernelText("", text + "\nret;"), "k.ptx");
    const auto& refusals = module->kernels[0]->refusals;
    return refusals.empty() ? "" : refusals[0].reason;
  };
  const std::string global = "cp.reduce.async.bulk.global.shared::cta.bulk_group";
  const std::string shared =
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
  const std::string operands = " [%rd1], [%r1], %r2;";
  EXPECT_EQ(refusal(global + ".L2::cache_hint.add.u32 [%rd1], [%r1], %r2, %rd2;"), "");
  EXPECT_THAT(refusal(global + ".add.f16" + operands), HasSubstr("'.noftz'"));
  EXPECT_THAT(refusal(global + ".min.noftz.f16" + operands), HasSubstr("'.noftz'"));
  EXPECT_THAT(refusal(global + ".add.s64" + operands), HasSubstr("u32, s32, u64 or a float"));
  EXPECT_THAT(refusal(global + ".min.f32" + operands), HasSubstr("an integer, f16 or bf16"));
  EXPECT_THAT(refusal(global + ".exch.b32" + operands), HasSubstr("an operation such as '.add'"));
  EXPECT_THAT(refusal(global + ".inc.u64" + operands), HasSubstr("u32 to count"));
  EXPECT_THAT(refusal(global + ".add" + operands), HasSubstr("u32, s32, u64 or a float"));
  EXPECT_THAT(refusal(shared + ".add.f32 [%r4], [%r1], %r2, [%r3];"),
              HasSubstr("in shared memory"));
  EXPECT_THAT(refusal(shared + ".or.b64 [%r4], [%r1], %r2, [%r3];"), HasSubstr("in shared memory"));
  EXPECT_THAT(refusal("cp.async.bulk.global.shared::cta.bulk_group.add.u32" + operands),
              HasSubstr("without '.reduce'"));
}

}  // namespace bulk_reduce_test
}  // namespace flagstone::conformance
