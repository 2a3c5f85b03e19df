// What the timing model is told of each instruction, and what decoding refuses.
#include "gpu_model/simt/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace program_test {

InstructionInfo InfoOf(const std::string& instruction) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 A", ".shared .align 8 .b8 tile[64];\n" + instruction + "\nEND: ret;"));
  return Program(run.launch()).info(0);
}

TEST(Pipes, FollowOpcodeTypeAndPrecision) {
  const std::vector<std::pair<const char*, Pipe>> cases = {
      {"add.s32 %r1, %r2, %r3;", Pipe::kIntAdd},
      {"shl.b64 %rd1, %rd2, 3;", Pipe::kLogic},
      {"mov.f32 %f1, 0f00000000;", Pipe::kLogic},
      {"selp.f32 %f1, %f2, %f3, %p1;", Pipe::kLogic},
      {"cvt.rn.f32.s32 %f1, %r1;", Pipe::kLogic},
      {"min.s32 %r1, %r2, %r3;", Pipe::kIntMinMax},
      {"max.f32 %f1, %f2, %f3;", Pipe::kF32MinMax},
      {"min.f64 %fd1, %fd2, %fd3;", Pipe::kF64MinMax},
      {"mad.lo.s32 %r1, %r2, %r3, %r4;", Pipe::kIntMad},
      {"mul.wide.s32 %rd1, %r2, 4;", Pipe::kIntMul},
      {"div.u32 %r1, %r2, %r3;", Pipe::kIntDiv},
      {"rem.s64 %rd1, %rd2, %rd3;", Pipe::kIntDiv},
      {"mul.f32 %f1, %f2, %f3;", Pipe::kF32},
      {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", Pipe::kF64},
      {"neg.f64 %fd1, %fd2;", Pipe::kLogic},
      {"fma.rn.f32 %f1, %f2, %f3, %f4;", Pipe::kF32Fma},
      {"setp.lt.f32 %p1, %f2, %f3;", Pipe::kLogic},
      {"set.lt.u32.f32 %r1, %f2, %f3;", Pipe::kLogic},
      {"div.rn.f32 %f1, %f2, %f3;", Pipe::kF32Div},
      {"sqrt.rn.f32 %f1, %f2;", Pipe::kF32Div},
      {"div.approx.f32 %f1, %f2, %f3;", Pipe::kSfu},
      {"sin.approx.f32 %f1, %f2;", Pipe::kSfu},
      {"add.f64 %fd1, %fd2, %fd3;", Pipe::kF64},
      {"cvt.f64.f32 %fd1, %f1;", Pipe::kLogic},
      {"shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, -1;", Pipe::kShuffle},
      {"vote.sync.ballot.b32 %r1, %p1, -1;", Pipe::kLogic},
      {"dp4a.s32.s32 %r1, %r2, %r3, %r4;", Pipe::kIntMad},
      {"tanh.approx.f32 %f1, %f2;", Pipe::kSfu},
      {"bar.red.popc.u32 %r1, 0, %p1;", Pipe::kBarrier},
      {"fence.acq_rel.gpu;", Pipe::kBarrier},
      {"nanosleep.u32 20;", Pipe::kControl},
      {"rcp.rn.f64 %fd1, %fd2;", Pipe::kF64Div},
      {"ld.global.f32 %f1, [%rd1];", Pipe::kLoadStore},
      {"red.global.add.u32 [%rd1], 1;", Pipe::kLoadStore},
      {"bra END;", Pipe::kControl},
      {"ret;", Pipe::kControl},
      {"bar.sync 0;", Pipe::kBarrier},
      {"membar.gl;", Pipe::kBarrier},
  };
  for (const auto& [text, pipe] : cases) EXPECT_EQ(InfoOf(text).pipe, pipe) << text;
}

TEST(Info, DescribesAccesses) {
  const InstructionInfo load = InfoOf("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];");
  EXPECT_TRUE(load.is_load && !load.is_store && !load.is_atomic);
  EXPECT_EQ(load.space, MemorySpace::kGlobal);
  EXPECT_EQ(load.bytes, 16);
  EXPECT_EQ(load.source_count, 1);
  EXPECT_EQ(load.destination_count, 4);
  const InstructionInfo store = InfoOf("@%p1 st.shared.v2.u16 [%r1], {%rs1, %rs2};");
  EXPECT_TRUE(!store.is_load && store.is_store && !store.is_atomic);
  EXPECT_EQ(store.space, MemorySpace::kShared);
  EXPECT_EQ(store.bytes, 4);
  EXPECT_EQ(store.source_count, 4) << "guard, address, two values";
  EXPECT_EQ(store.destination_count, 0);
  const InstructionInfo atomic = InfoOf("atom.global.cas.b64 %rd1, [%rd2], %rd3, %rd4;");
  EXPECT_TRUE(!atomic.is_load && !atomic.is_store && atomic.is_atomic);
  EXPECT_EQ(atomic.bytes, 8);
  EXPECT_EQ(atomic.source_count, 3);
  EXPECT_EQ(atomic.destination_count, 1);
  EXPECT_EQ(InfoOf("ld.param.u64 %rd1, [A];").space, MemorySpace::kParam);
  EXPECT_EQ(InfoOf("ld.u32 %r1, [%rd1];").space, MemorySpace::kNone) << "known only when it runs";
}

TEST(Scoreboard, NumbersRegistersDenselyAndTheSameEverywhere) {
  KernelRun run = KernelRun::FromText(
      KernelText("", "add.s32 %r30, %r20, %r20;\n@!%p7 add.s32 %r20, %r30, 1;\nret;"));
  const Program program(run.launch());
  EXPECT_EQ(program.scoreboard_registers(), 3U);
  const InstructionInfo& first = program.info(0);
  const InstructionInfo& second = program.info(1);
  ASSERT_EQ(first.source_count, 1) << "a register that is read twice counts once";
  ASSERT_EQ(second.source_count, 2) << "the guard is a source";
  const std::vector<uint16_t> sources(second.sources.begin(), second.sources.begin() + 2);
  EXPECT_NE(std::find(sources.begin(), sources.end(), first.destinations[0]), sources.end());
  EXPECT_EQ(second.destinations[0], first.sources[0]);
  for (const uint16_t number : sources) EXPECT_LT(number, 3);
}

TEST(Describe, NamesFileLineAndText) {
  KernelRun run = KernelRun::FromText(KernelText("", "mov.u32 %r1, 1;\nret;"));
  const Program program(run.launch());
  EXPECT_EQ(program.Describe(0), "test.ptx:13: mov.u32 %r1, 1");
  EXPECT_EQ(program.Describe(2), "test.ptx: end of 'k'");
}

std::string Refusal(KernelRun run) {
  return MessageOf(ErrorKind::kBadInput, [&] { const Program program(run.launch()); });
}

TEST(Program, RefusesWhatTheExecutorDoesNotHave) {
  EXPECT_EQ(Refusal(KernelRun::FromText(KernelText(".param .u32 n",
                                                   "ld.param.u64 %rd1, [n];\n"
                                                   "ret;"))),
            "test.ptx:13:1: the parameter block has no such element: ld.param.u64 %rd1, [n]");
}

// The file holds what kernels of the public suites use (tests/unit/kernels/ptx/parser_test.cc).
TEST(Program, HasAHandlerForEveryInstructionOfTheSuites) {
  KernelRun run(ptx::ParseFile("tests/unit/kernels/ptx/data/every_instruction.ptx"));
  Texture image;
  image.name = "image";
  run.WithTexture(image, std::vector<float>(1));
  EXPECT_EQ(Program(run.launch()).size(), run.launch().kernel->instructions.size());
}

TEST(Program, RefusesLaunchesThatDoNotFit) {
  const std::string text = KernelText("", "ret;");
  EXPECT_EQ(Refusal(KernelRun::FromText(text, {0, 1, 1})), "entry 'k': the grid has no TB");
  EXPECT_EQ(Refusal(KernelRun::FromText(text, {1, 1, 1}, {1, 0, 1})),
            "entry 'k': the block has no thread");
  EXPECT_EQ(Refusal(KernelRun::FromText(text, {1, 1, 1}, {1025, 1, 1})),
            "entry 'k': the block has 1025 threads, expected at most 1024");
}

TEST(Program, RefusesClustersThatDoNotDivideTheGridOrAreTooLarge) {
  const auto of = [](Dim3 grid, Dim3 cluster) {
    KernelRun run = KernelRun::FromText(KernelText("", "ret;"), grid);
    run.Cluster(cluster);
    return run;
  };
  EXPECT_EQ(Refusal(of({3, 2, 2}, {2, 1, 1})),
            "entry 'k': clusters of 2 x 1 x 1 TBs, expected at most 16 TBs that divide the grid");
  for (const Dim3 grid : {Dim3{2, 3, 2}, Dim3{2, 2, 3}}) {
    EXPECT_NE(Refusal(of(grid, {2, 2, 2})).find("clusters of 2 x 2 x 2 TBs"), std::string::npos);
  }
  EXPECT_NE(Refusal(of({32, 1, 1}, {32, 1, 1})).find("expected at most 16"), std::string::npos);
  KernelRun largest = of({32, 1, 1}, {16, 1, 1});
  EXPECT_TRUE(Program(largest.launch()).has_clusters());
}

TEST(Program, HandsOutTheTbsOfAClusterOneAfterTheOtherUnlessItIsGivenAnOrder) {
  const auto tbs_of = [](Dim3 cluster, const std::vector<uint32_t>& order) {
    KernelRun run = KernelRun::FromText(KernelText("", "ret;"), {2, 4, 1});
    run.Cluster(cluster);
    const Program program(run.launch(), order);
    std::vector<uint64_t> work;
    for (uint64_t tb = 0; tb < 8; ++tb) work.push_back(program.WorkOf(tb));
    return work;
  };
  using Tbs = std::vector<uint64_t>;
  EXPECT_EQ(tbs_of({1, 2, 1}, {}), (Tbs{0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_EQ(tbs_of({2, 1, 1}, {}), (Tbs{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(tbs_of({1, 2, 1}, {7, 6, 5, 4, 3, 2, 1, 0}), (Tbs{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(tbs_of({1, 1, 1}, {7, 6, 5, 4, 3, 2, 1, 0}), (Tbs{7, 6, 5, 4, 3, 2, 1, 0}));
  KernelRun alone = KernelRun::FromText(KernelText("", "ret;"));
  EXPECT_FALSE(Program(alone.launch()).has_clusters());
}

}  // namespace program_test
}  // namespace flagstone
