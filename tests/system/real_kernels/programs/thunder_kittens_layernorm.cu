// ThunderKittens' layer norm of 1,024 elements behind a residual sum, `layernorm.cu`.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "layernorm.cu"
#undef main

#include "check.h"

int main() {
  using namespace real_kernels;  // NOLINT
  constexpr size_t kRows = 16, kWidth = 1024;
  Random random(1);
  std::vector<bf16> x(kRows * kWidth), residual(x.size()), weight(kWidth), bias(kWidth);
  for (std::vector<bf16>* numbers : {&x, &residual, &weight, &bias}) {
    for (bf16& number : *numbers) number = bf16(random.Real(-1, 1));
  }
  Buffer<bf16> device_x(x), device_residual(residual), device_weight(weight), device_bias(bias),
      out(x.size()), out_residual(x.size());
  dispatch_layernorm(device_x.get(), device_residual.get(), device_weight.get(), device_bias.get(),
                     out.get(), out_residual.get(), 0.0F, 1, kRows);
  std::vector<float> expected(x.size());
  for (size_t row = 0; row < kRows; ++row) {
    float mean = 0, variance = 0;
    std::vector<float> sum(kWidth);
    for (size_t i = 0; i < kWidth; ++i) {
      sum[i] = float(x[row * kWidth + i]) + float(residual[row * kWidth + i]);
      mean += sum[i] / kWidth;
    }
    for (const float value : sum) variance += (value - mean) * (value - mean) / kWidth;
    for (size_t i = 0; i < kWidth; ++i) {
      expected[row * kWidth + i] =
          (sum[i] - mean) / std::sqrt(variance + 1e-5F) * float(weight[i]) + float(bias[i]);
    }
  }
  // Its sums are of bf16, too.
  return Compare(out.Host(), expected, 0.03F, 0.06F);
}
