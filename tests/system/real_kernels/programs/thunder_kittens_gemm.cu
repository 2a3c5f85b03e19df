// ThunderKittens' samples of C = A B on bf16, which are square: SAMPLE is the file of one, which
// names its kernel `kernel` and its launch `matmul`. Its own main runs 4,096 x 4,096.
#include <chrono>
#include <fstream>

#include "check.h"

#define main main_of_the_sample
#include SAMPLE
#undef main

#ifndef SIDE
#define SIDE 256
#endif

int main() {
  using namespace real_kernels;  // NOLINT
  constexpr int kSide = SIDE;
  Random random(1);
  std::vector<__nv_bfloat16> a(kSide * kSide), b(a.size());
  for (auto& number : a) number = __nv_bfloat16(float(random.Whole(-2, 2)));
  for (auto& number : b) number = __nv_bfloat16(float(random.Whole(-2, 2)));
  Buffer<__nv_bfloat16> device_a(a), device_b(b), c(a.size());
  matmul(device_a.get(), device_b.get(), c.get(), kSide);
  std::vector<float> expected(a.size());
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) sum += float(a[i * kSide + k]) * float(b[k * kSide + j]);
      expected[i * kSide + j] = float(__nv_bfloat16(sum));
    }
  }
  return Compare(c.Host(), expected);
}
