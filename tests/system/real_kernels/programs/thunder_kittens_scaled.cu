// ThunderKittens' GEMM of e4m3 with scales of rows, `fp8_h100_gemm_scaled.cu`: C = diag(s) A B'
// diag(t).
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "fp8_h100_gemm_scaled.cu"
#undef main

#include "check.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Template = matmul_template<8>;
  const size_t m = 256, n = 256, k = 256;
  Random random(1);
  std::vector<fp8e4m3> a(m * k), b(n * k);
  for (fp8e4m3& number : a) number = fp8e4m3(float(random.Whole(-2, 2)));
  for (fp8e4m3& number : b) number = fp8e4m3(float(random.Whole(-2, 2)));
  std::vector<float> scales_a(m), scales_b(n);
  for (float& scale : scales_a) scale = std::ldexp(1.0F, random.Whole(-2, 2));
  for (float& scale : scales_b) scale = std::ldexp(1.0F, random.Whole(-2, 2));
  Buffer<fp8e4m3> device_a(a), device_b(b);
  Buffer<float> device_scales_a(scales_a), device_scales_b(scales_b), c(m * n);
  Check(cudaFuncSetAttribute(prototype::lcf::kernel<Template>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_SHARED_MEMORY - 1024),
        "shared memory");
  inner_run<Template>(device_a.get(), device_b.get(), c.get(), device_scales_a.get(),
                      device_scales_b.get(), m, n, k, dim3(2),
                      dim3(prototype::detail::NUM_THREADS_v<Template>));
  std::vector<float> expected(m * n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t e = 0; e < k; ++e) sum += float(a[i * k + e]) * float(b[j * k + e]);
      expected[i * n + j] = sum * scales_a[i] * scales_b[j];
    }
  }
  return Compare(c.Host(), expected);
}
