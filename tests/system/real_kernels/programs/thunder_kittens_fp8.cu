// ThunderKittens' GEMM of e4m3, `fp8_h100_gemm.cu`: C = A B', all of e4m3, B by columns.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "fp8_h100_gemm.cu"
#undef main

#include "check.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Template = matmul_template<8>;
  const size_t m = 384, n = 512, k = 256;
  Random random(1);
  std::vector<fp8e4m3> a(m * k), b(n * k);
  for (fp8e4m3& number : a) number = fp8e4m3(float(random.Whole(-1, 1)));
  for (fp8e4m3& number : b) number = fp8e4m3(float(random.Whole(-1, 1)));
  Buffer<fp8e4m3> device_a(a), device_b(b), c(m * n);
  Check(cudaFuncSetAttribute(prototype::lcf::kernel<Template>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_SHARED_MEMORY - 1024),
        "shared memory");
  inner_run<Template>(device_a.get(), device_b.get(), c.get(), m, n, k, dim3(4),
                      dim3(prototype::detail::NUM_THREADS_v<Template>));
  std::vector<float> expected(m * n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t e = 0; e < k; ++e) sum += float(a[i * k + e]) * float(b[j * k + e]);
      expected[i * n + j] = float(fp8e4m3(sum));
    }
  }
  return Compare(c.Host(), expected);
}
