// Instruction counts of two kernels compiled by nvcc 13 are exact facts: any functional simulator
// of the same PTX must count the same.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace instruction_count_test {

std::vector<float> RandomFloats(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.Unit());
  return values;
}

TEST(InstructionCount, OfVecaddIsExact) {
  constexpr int kCount = 65536;
  const std::vector<float> a = RandomFloats(kCount, 1);
  const std::vector<float> b = RandomFloats(kCount, 2);
  KernelRun run(ptx::ParseFile("experiments/peer/vecadd.ptx"), {256, 1, 1}, {256, 1, 1});
  run.Buffer("A", a).Buffer("B", b).Buffer("C", std::vector<float>(kCount)).Scalar(kCount);
  const FunctionalCounts counts = run.Run();
  EXPECT_EQ(counts.thread_instructions, 1'376'256U);
  EXPECT_EQ(counts.warp_instructions, 45'056U);
  const std::vector<float> c = run.Contents<float>("C");
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(c[i], a[i] + b[i]) << i;
}

TEST(InstructionCount, OfTiledMatmulIsExact) {
  constexpr size_t kSize = 256;
  const std::vector<float> a = RandomFloats(kSize * kSize, 3);
  const std::vector<float> b = RandomFloats(kSize * kSize, 4);
  KernelRun run(ptx::ParseFile("experiments/peer/matmul.ptx"), {16, 16, 1}, {16, 16, 1});
  run.Buffer("A", a).Buffer("B", b).Buffer("C", std::vector<float>(kSize * kSize)).Scalar(256);
  const FunctionalCounts counts = run.Run();
  EXPECT_EQ(counts.thread_instructions, 64'618'496U);
  EXPECT_EQ(counts.warp_instructions, 2'023'424U);
  const std::vector<float> c = run.Contents<float>("C");
  for (size_t row = 0; row < kSize; ++row) {
    for (size_t column = 0; column < kSize; ++column) {
      float sum = 0;
      for (size_t k = 0; k < kSize; ++k) {
        sum = std::fma(a[row * kSize + k], b[k * kSize + column], sum);
      }
      ASSERT_EQ(c[row * kSize + column], sum) << row << ", " << column;
    }
  }
}

}  // namespace instruction_count_test
}  // namespace flagstone
