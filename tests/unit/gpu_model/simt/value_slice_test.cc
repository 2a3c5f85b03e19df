// Which values a slice computes, and that its addresses are those of full execution.
#include "gpu_model/simt/value_slice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace value_slice_test {

// The texts of the instructions that are left out.
std::vector<std::string> LeftOut(const KernelRun& run, const DeviceMemory& memory,
                                 const std::vector<std::string>& kept = {}) {
  const auto needed = FindNeededValues({&run.launch(), 1}, memory, kept).at(0);
  std::vector<std::string> texts;
  const auto& instructions = run.launch().kernel->instructions;
  for (size_t pc = 0; pc < instructions.size(); ++pc) {
    if (!needed[pc]) texts.push_back(instructions[pc].text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

KernelRun Saxpy() {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 x, .param .u64 y",
      "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nmov.u32 %r1, %tid.x;\n"
      "setp.gt.u32 %p1, %r1, 20;\n@%p1 bra END;\n"
      "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
      "ld.global.f32 %f1, [%rd4];\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"
      "st.global.f32 [%rd5], %f2;\nEND: ret;"));
  run.Buffer("x", std::vector<float>(32, 2)).Buffer("y", std::vector<float>(32));
  return run;
}

TEST(ValueSlice, LeavesOutWhatReachesNoAddressAndNoPredicate) {
  KernelRun run = Saxpy();
  EXPECT_EQ(LeftOut(run, run.memory()),
            (Texts{"ld.global.f32 %f1, [%rd4]", "fma.rn.f32 %f2, %f1, %f1, %f1",
                   "st.global.f32 [%rd5], %f2"}));
}

TEST(ValueSlice, KeepsWhatIsStoredInABufferThatTheHostReads) {
  KernelRun run = Saxpy();
  EXPECT_TRUE(LeftOut(run, run.memory(), {"y"}).empty());
  EXPECT_EQ(LeftOut(run, run.memory(), {"x"}).size(), 3U) << "x is only read";
}

TEST(ValueSlice, KeepsStoresToABufferWhoseContentsBecomeAddresses) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 index, .param .u64 data, .param .u64 out",
      "ld.param.u64 %rd1, [index];\nld.param.u64 %rd2, [data];\nld.param.u64 %rd3, [out];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
      "ld.global.u32 %r2, [%rd5];\nmul.wide.u32 %rd6, %r2, 4;\nadd.s64 %rd7, %rd2, %rd6;\n"
      "ld.global.u32 %r3, [%rd7];\nadd.u32 %r4, %r3, 1;\nadd.s64 %rd8, %rd3, %rd4;\n"
      "st.global.u32 [%rd8], %r4;\nxor.b32 %r5, %r2, 1;\nst.global.u32 [%rd5], %r5;\nret;"));
  run.Buffer("index", std::vector<uint32_t>(32))
      .Buffer("data", std::vector<uint32_t>(32))
      .Buffer("out", std::vector<uint32_t>(32));
  EXPECT_EQ(LeftOut(run, run.memory()), (Texts{"ld.global.u32 %r3, [%rd7]", "add.u32 %r4, %r3, 1",
                                               "st.global.u32 [%rd8], %r4"}));
}

TEST(ValueSlice, FollowsValuesThroughOtherLaunchesAndThroughSharedMemory) {
  // The first launch writes what the second one branches on.
  KernelRun writer = KernelRun::FromText(KernelText(
      ".param .u64 a, .param .u64 b",
      "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r1, 3;\nmov.u32 %r2, 4;\n"
      "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd2], %r2;\nret;"));
  writer.Buffer("a", std::vector<uint32_t>(1)).Buffer("b", std::vector<uint32_t>(1));
  KernelRun reader = KernelRun::FromText(
      KernelText(".param .u64 a, .param .u64 b",
                 ".shared .align 4 .b8 tile[8];\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"
                 "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd2];\n"
                 "st.shared.u32 [tile], %r1;\nld.shared.u32 %r3, [tile];\n"
                 "setp.eq.u32 %p1, %r3, 3;\n@%p1 bra END;\nadd.u32 %r2, %r2, 1;\nEND: ret;"));
  reader.Buffer("a", std::vector<uint32_t>(1)).Buffer("b", std::vector<uint32_t>(1));
  // Both see the memory of the first: same addresses.
  const std::vector<KernelLaunch> launches = {writer.launch(), reader.launch()};
  const auto needed = FindNeededValues(launches, writer.memory(), {});
  EXPECT_EQ(needed[0], (std::vector<bool>{true, true, true, false, true, false, true}));
  EXPECT_EQ(needed[1],
            (std::vector<bool>{true, true, true, false, true, true, true, true, false, true}));
}

TEST(ValueSlice, TakesAPointerFromMemoryToLeadAnywhere) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 pointers, .param .u64 other",
      "ld.param.u64 %rd1, [pointers];\nld.param.u64 %rd2, [other];\nld.global.u64 %rd3, [%rd1];\n"
      "ld.global.u32 %r1, [%rd3];\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd2, %rd4;\n"
      "ld.global.u32 %r2, [%rd5];\nmov.u32 %r3, 9;\nst.global.u32 [%rd2], %r3;\nret;"));
  run.Buffer("pointers", std::vector<uint64_t>(1)).Buffer("other", std::vector<uint32_t>(4));
  EXPECT_EQ(LeftOut(run, run.memory()), (Texts{"ld.global.u32 %r2, [%rd5]"}))
      << "the store to `other` may be what the pointer reads";
}

TEST(ValueSlice, KeepsBarriersVotesForBranchesAndAtomicsForAddresses) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 counter, .param .u64 out",
      "ld.param.u64 %rd1, [counter];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
      "atom.global.add.u32 %r2, [%rd1], 1;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
      "st.global.u32 [%rd4], %r1;\nsetp.lt.u32 %p1, %r1, 5;\nvote.sync.any.pred %p2, %p1, -1;\n"
      "vote.sync.ballot.b32 %r5, %p1, -1;\nbar.red.popc.u32 %r6, 0, %p1;\n"
      "@%p2 bra END;\natom.global.add.u32 %r7, [%rd2], 1;\nEND: ret;"));
  run.Buffer("counter", std::vector<uint32_t>(1)).Buffer("out", std::vector<uint32_t>(64));
  EXPECT_EQ(LeftOut(run, run.memory()),
            (Texts{"st.global.u32 [%rd4], %r1", "vote.sync.ballot.b32 %r5, %p1, -1",
                   "atom.global.add.u32 %r7, [%rd2], 1"}));
}

TEST(ValueSlice, KeepsWhatAPrintMayReadAndReductionsOfNeededBuffersAlone) {
  const std::string prototype =
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";
  KernelRun print = KernelRun::FromText(KernelText(
      ".param .u64 format, .param .u64 data",
      "ld.param.u64 %rd1, [format];\nld.param.u64 %rd2, [data];\nst.global.u32 [%rd2], 5;\n"
      "{ .param .b64 f; .param .b64 a; .param .b32 r;\nst.param.b64 [f], %rd1;\n"
      "st.param.b64 [a], %rd2;\ncall.uni (r), vprintf, (f, a); }\nadd.u32 %r3, %r2, 1;\nret;",
      prototype));
  print.Buffer("format", std::vector<uint32_t>(1)).Buffer("data", std::vector<uint32_t>(1));
  const Texts left_out = LeftOut(print, print.memory());
  EXPECT_EQ(left_out.back(), "add.u32 %r3, %r2, 1");
  for (const std::string& text : left_out) EXPECT_FALSE(text.starts_with("st.")) << text;

  KernelRun sums = KernelRun::FromText(
      KernelText(".param .u64 x, .param .u64 y",
                 "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nred.global.add.u32 [%rd1], 1;\n"
                 "red.global.add.u32 [%rd2], 1;\nret;"));
  sums.Buffer("x", std::vector<uint32_t>(1)).Buffer("y", std::vector<uint32_t>(1));
  EXPECT_EQ(LeftOut(sums, sums.memory(), {"y"}), Texts{"red.global.add.u32 [%rd1], 1"});
}

// The trace of a run: pcs, masks and addresses.
std::vector<uint64_t> Trace(KernelRun& run, const KernelLaunch& launch) {
  std::vector<uint64_t> trace;
  RunFunctionally(
      launch, &run.memory(),
      [](void* context, uint64_t, uint32_t, const StepResult& result) {
        auto* values = static_cast<std::vector<uint64_t>*>(context);
        values->insert(values->end(), {result.pc, result.active, result.executed, result.in_space});
        for (uint32_t lane = 0; result.addresses != nullptr && lane < kWarpSize; ++lane) {
          if ((result.in_space >> lane & 1) != 0) values->push_back((*result.addresses)[lane]);
        }
      },
      &trace);
  return trace;
}

TEST(ValueSlice, ExecutesTheSameAddressesWithoutTheValues) {
  KernelRun full = Saxpy();
  const auto expected = Trace(full, full.launch());
  EXPECT_EQ(full.Contents<float>("y")[3], 6);
  KernelRun sliced = Saxpy();
  KernelLaunch launch = sliced.launch();
  launch.needed_values = FindNeededValues({&launch, 1}, sliced.memory(), {}).at(0);
  EXPECT_EQ(Trace(sliced, launch), expected);
  EXPECT_EQ(sliced.Contents<float>("y")[3], 0) << "nothing was stored";
}

TEST(ValueSlice, StillFindsAnAccessOutOfBounds) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 x", "ld.param.u64 %rd1, [x];\nld.global.f32 %f1, [%rd1+128];\nret;"));
  run.Buffer("x", std::vector<float>(32));
  KernelLaunch launch = run.launch();
  launch.needed_values = FindNeededValues({&launch, 1}, run.memory(), {}).at(0);
  EXPECT_NE(MessageOf(ErrorKind::kRunFailed, [&] { RunFunctionally(launch, &run.memory()); })
                .find("out-of-bounds load of 4 bytes"),
            std::string::npos);
}

}  // namespace value_slice_test
}  // namespace flagstone
