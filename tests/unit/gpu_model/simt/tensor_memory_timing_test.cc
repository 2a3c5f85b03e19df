// What the timing model knows of tcgen05: the work of a product, by its descriptor, and what a wait
// and a commit wait for; and what a slice executes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu_model/simt/instruction_descriptor.h"
#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/tensor_memory_kernel.h"

namespace flagstone {
namespace tensor_memory_timing_test {

uint32_t PcOf(const KernelRun& run, const std::string& words) {
  const auto& instructions = run.launch().kernel->instructions;
  for (uint32_t pc = 0; pc < instructions.size(); ++pc) {
    if (instructions[pc].text.find(words) != std::string::npos) return pc;
  }
  ADD_FAILURE() << words;
  return 0;
}

const std::string kBody = kAllocate +
                          "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {%r1};\n"
                          "tcgen05.wait::st.sync.aligned;\nbar.sync 0;\n" +
                          TensorMemoryProduct() + kCommitted + kAwaited +
                          "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%f1}, [%r5];\n"
                          "tcgen05.wait::ld.sync.aligned;\n";

bool Waits(const Program& program, uint32_t waiting, uint32_t writing) {
  const InstructionInfo& waits = program.info(waiting);
  const InstructionInfo& writes = program.info(writing);
  EXPECT_EQ(writes.destination_count, 1);
  const auto end = waits.sources.begin() + waits.source_count;
  return std::find(waits.sources.begin(), end, writes.destinations[0]) != end;
}

TEST(TensorMemoryTiming, EachWaitWaitsForItsOwn) {
  KernelRun run = TensorMemoryRun(kBody + kDeallocate);
  const Program program(run.launch());
  const uint32_t store = PcOf(run, "tcgen05.st"), load = PcOf(run, "tcgen05.ld");
  const uint32_t product = PcOf(run, "tcgen05.mma"), commit = PcOf(run, "tcgen05.commit");
  EXPECT_TRUE(Waits(program, PcOf(run, "tcgen05.wait::st"), store));
  EXPECT_FALSE(Waits(program, PcOf(run, "tcgen05.wait::st"), load));
  EXPECT_TRUE(Waits(program, PcOf(run, "tcgen05.wait::ld"), load));
  EXPECT_TRUE(Waits(program, commit, product));
  EXPECT_FALSE(Waits(program, commit, store));
}

TEST(TensorMemoryTiming, WhoReadsTheRegisterOfALoadWaitsForIt) {
  KernelRun run =
      TensorMemoryRun(kBody + "add.f32 %f2, %f1, %f3;\nadd.f32 %f4, %f3, %f3;\n" + kDeallocate);
  const Program program(run.launch());
  const uint32_t load = PcOf(run, "tcgen05.ld");
  EXPECT_TRUE(Waits(program, PcOf(run, "add.f32 %f2"), load));
  EXPECT_FALSE(Waits(program, PcOf(run, "add.f32 %f4"), load));
}

TEST(TensorMemoryTiming, AProductTakesTheMostUntilItsDescriptorIsRead) {
  KernelRun run = TensorMemoryRun(kBody + kDeallocate);
  const Program program(run.launch());
  const InstructionInfo& info = program.info(PcOf(run, "tcgen05.mma"));
  EXPECT_EQ(info.pipe, Pipe::kTensor);
  EXPECT_TRUE(info.by_descriptor);
  EXPECT_EQ(info.tensor_work, 1024);  // 64 m16n8k16 in each of four tensor cores
}

// m64n8k16: four m16n8k16 for four tensor cores.
TEST(TensorMemoryTiming, TheStepSaysTheWorkOfEachTensorCore) {
  KernelRun run = TensorMemoryRun(kBody + kDeallocate);
  const uint32_t product = PcOf(run, "tcgen05.mma");
  struct Seen {
    uint32_t pc, work = 0;
  } seen{product};
  run.Run(
      [](void* context, uint64_t, uint32_t, const StepResult& step) {
        auto* const at = static_cast<Seen*>(context);
        if (step.pc == at->pc) {
          at->work += step.tensor_work;
        } else {
          EXPECT_EQ(step.tensor_work, 0U);
        }
      },
      &seen);
  EXPECT_EQ(seen.work, 16U);
  simt::InstructionDescriptor descriptor;
  EXPECT_EQ(simt::ReadInstructionDescriptor(0x8400010, ptx::TensorMemoryKind::kF16, &descriptor),
            "");
  EXPECT_EQ(descriptor.WorkOfPart(), 1024U);
}

// A slice moves no values, but has the descriptor, on which the time hangs.
TEST(TensorMemoryTiming, ASliceMakesTheProductsThatAnAddressHangsOn) {
  const auto needed = [](KernelRun* run) {
    KernelLaunch launch = run->launch();
    return FindNeededValues({&launch, 1}, run->memory(), {}).at(0);
  };
  const std::string stored = "st.global.f32 [%rd1], %f1;\n";
  KernelRun timed = TensorMemoryRun(kBody + stored + kDeallocate);
  const std::vector<bool> of_timed = needed(&timed);
  for (const char* const words : {"tcgen05.ld", "tcgen05.st.", "tcgen05.mma"}) {
    EXPECT_FALSE(of_timed[PcOf(timed, words)]) << words;
  }
  for (const char* const words : {"tcgen05.alloc", "tcgen05.commit", "tcgen05.wait::ld"}) {
    EXPECT_TRUE(of_timed[PcOf(timed, words)]) << words;
  }
  const std::string addressed =
      "cvt.rzi.u64.f32 %rd4, %f1;\nadd.u64 %rd4, %rd4, %rd1;\nst.global.f32 [%rd4], %f1;\n";
  KernelRun made = TensorMemoryRun(kBody + addressed + kDeallocate);
  const std::vector<bool> of_made = needed(&made);
  for (const char* const words : {"tcgen05.ld", "tcgen05.st.", "tcgen05.mma"}) {
    EXPECT_TRUE(of_made[PcOf(made, words)]) << words;
  }
}

// A slice checks neither lanes nor columns of what it leaves out, and runs to its end.
TEST(TensorMemoryTiming, ASliceRuns) {
  const std::string stored = "st.global.f32 [%rd1], %f1;\n";
  KernelRun run = TensorMemoryRun(kBody + stored + kDeallocate);
  KernelLaunch launch = run.launch();
  launch.needed_values = FindNeededValues({&launch, 1}, run.memory(), {}).at(0);
  EXPECT_EQ(RunFunctionally(launch, &run.memory()).tbs, 1U);
}

}  // namespace tensor_memory_timing_test
}  // namespace flagstone
