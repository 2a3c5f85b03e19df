// ThunderKittens' GEMM of bf16, `bf16_h100_gemm.cu`: C = A B, all by rows.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "bf16_h100_gemm.cu"
#undef main

#include "check.h"

using namespace real_kernels;  // NOLINT

template <class Template>
int Run(size_t m, size_t n, size_t k) {
  Random random(1);
  std::vector<bf16> a(m * k), b(k * n);
  for (bf16& number : a) number = bf16(float(random.Whole(-2, 2)));
  for (bf16& number : b) number = bf16(float(random.Whole(-2, 2)));
  Buffer<bf16> device_a(a), device_b(b), c(m * n);
  Check(cudaFuncSetAttribute(prototype::lcf::kernel<Template>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_SHARED_MEMORY - 1024),
        "shared memory");
  inner_run<Template>(device_a.get(), device_b.get(), c.get(), m, n, k, dim3(4),
                      dim3(prototype::detail::NUM_THREADS_v<Template>));
  std::vector<float> expected(m * n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t e = 0; e < k; ++e) sum += float(a[i * k + e]) * float(b[e * n + j]);
      expected[i * n + j] = float(bf16(sum));
    }
  }
  return Compare(c.Host(), expected);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (name == "128x256") return Run<matmul_template<2, 4, 8>>(384, 512, 192);
  if (name == "192x192") return Run<matmul_template<3, 3, 8>>(384, 384, 192);
  std::printf("128x256 192x192\n");
  return 2;
}
