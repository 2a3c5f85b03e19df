// One source with device functions (tests/unit/kernels/ptx/data/calls.cu), as compilers from
// PTX 3.2 to 9.0 print it: each must compute what the same code computes on the host.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace compiled_calls_test {

constexpr int kThreads = 64;
constexpr int kN = 1000;

struct Item {
  int count = 3;
  double weight = 4.5;
  int8_t tag = 40;
  int16_t parts[3] = {100, 200, 300};
};

int Choose(int x, int thread) {
  switch (x) {
    case 0:
      return 12;
    case 1:
      return 100;
    case 2:
    case 3:
      return x * 5;
    case 4:
      return thread % 2 == 1 ? -4 : 1005;
    case 5:
      return 55;
    case 6:
      return -3;
    default:
      return 50;
  }
}

int Expected(int i) {
  Item bumped;
  bumped.parts[i % 3] = static_cast<int16_t>(bumped.parts[i % 3] + 1);
  bumped.weight += bumped.count;
  bumped.tag = static_cast<int8_t>(bumped.tag - 1);
  int value = i * 3 + static_cast<int8_t>(i * 9) + (i > 3 ? 7 : 0) + kN + bumped.parts[1] +
              bumped.tag + static_cast<int>(bumped.weight);
  const float x[2] = {1, 2};
  const float y[2] = {static_cast<float>(i), static_cast<float>(kN)};
  value += static_cast<int>(x[i % 2] * 100 + (y[i % 2] + x[i / 2 % 2]));
  int sum = 0;
  for (int k = 0; k < i % 16; ++k) {
    if ((i + k) % 3 == 0) continue;
    sum += Choose((i + k) % 8, i);
    if (sum > 1000) break;
  }
  return value + sum + (i ^ 1) * (i ^ 1);
}

class CompiledCalls : public testing::TestWithParam<const char*> {};

TEST_P(CompiledCalls, ComputeWhatTheHostComputes) {
  KernelRun run(
      ptx::ParseFile(std::string("tests/unit/kernels/ptx/data/calls.") + GetParam() + ".ptx"),
      {1, 1, 1}, {kThreads, 1, 1});
  run.Buffer("out", std::vector<int>(2 * kThreads, -1));
  const Item item;
  std::array<std::byte, 24> bytes = {};  // as the device lays it out
  std::memcpy(bytes.data(), &item.count, 4);
  std::memcpy(bytes.data() + 8, &item.weight, 8);
  std::memcpy(bytes.data() + 16, &item.tag, 1);
  std::memcpy(bytes.data() + 18, item.parts, 6);
  run.Scalar(bytes).Scalar(kN);
  run.Run();
  const std::vector<int> out = run.Contents<int>("out");
  for (int i = 0; i < kThreads; ++i) {
    const int expected = Expected(i);
    EXPECT_EQ(out[static_cast<size_t>(i)], expected) << i;
    EXPECT_EQ(out[static_cast<size_t>(kThreads + i)], expected % 2 == 0 ? expected : -1) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, CompiledCalls,
                         testing::Values("clang14", "clang14_32bit", "clang14_O0", "clang14_debug",
                                         "clang16", "clang19", "clang19_32bit", "clang19_debug",
                                         "nvcc13", "nvcc13_debug", "nvcc13_sm120_rdc"),
                         [](const auto& sample) { return std::string(sample.param); });

}  // namespace compiled_calls_test
}  // namespace flagstone
