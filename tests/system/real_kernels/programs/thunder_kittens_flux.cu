// ThunderKittens' layer of Flux, `flux_gelu.cu`: gelu(A B' + bias), of bf16.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "flux_gelu.cu"
#undef main

#include "attention.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Template = flux_matmul_gelu_template<128, 192, 64, 0, 1>;
  using Globals = Template::layout::globals;
  const size_t m = 256, n = 384, k = 192;
  std::vector<float> a, b, bias;
  Buffer<bf16> device_a(Narrowed<bf16>(m * k, 1, &a)), device_b(Narrowed<bf16>(n * k, 2, &b)),
      device_bias(Narrowed<bf16>(n, 3, &bias)), c(m * n);
  const Globals globals{decltype(Globals::lhs){device_a.get(), nullptr, nullptr, m, k},
                        decltype(Globals::rhs){device_b.get(), nullptr, nullptr, n, k},
                        decltype(Globals::bias){device_bias.get(), nullptr, nullptr, nullptr, n},
                        decltype(Globals::acc){c.get(), nullptr, nullptr, m, n}};
  const int shared = MAX_SHARED_MEMORY - 1024;
  auto* const kernel = prototype::lcf::kernel<Template>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  kernel<<<dim3(m / 128, n / 192), prototype::detail::NUM_THREADS_v<Template>, shared>>>(globals);
  std::vector<float> expected(m * n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = bias[j];
      for (size_t e = 0; e < k; ++e) sum += a[i * k + e] * b[j * k + e];
      const float inner = 0.79788456F * (sum + 0.044715F * sum * sum * sum);
      expected[i * n + j] = 0.5F * sum * (1 + std::tanh(inner));
    }
  }
  return Compare(c.Host(), expected, 0.01F, 0.02F);
}
