// ThunderKittens' forward pass of Mamba 2, `mamba2.cu`: a row of the result is the sum over the
// rows before it of exp(the sum of a between them) (q k') v; q and k are of all heads.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "mamba2.cu"
#undef main

#include "attention.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Template = mamba2_fwd_template;
  using Layout = Template::layout;
  constexpr int kHeads = 4, kRows = 256, kWidth = 64;
  std::vector<float> q, k, v, a(kHeads * kRows);
  Buffer<bf16> device_q(Narrowed<bf16>(kRows * kWidth, 1, &q)),
      device_k(Narrowed<bf16>(kRows * kWidth, 2, &k)),
      device_v(Narrowed<bf16>(kHeads * kRows * kWidth, 3, &v)), out(v.size());
  Random random(4);
  for (float& value : a) value = -random.Real(0, 0.2F);
  Buffer<float> device_a(a);
  const Layout::globals globals = {Layout::q_global(device_q.get(), 1, 1, kRows, nullptr),
                                   Layout::k_global(device_k.get(), 1, 1, kRows, nullptr),
                                   Layout::v_global(device_v.get(), 1, kHeads, kRows, nullptr),
                                   Layout::o_global(out.get(), 1, kHeads, kRows, nullptr),
                                   Layout::a_global(device_a.get(), 1, kHeads, nullptr, kRows)};
  constexpr int kShared = kittens::prototype::detail::MAX_SHARED_MEMORY_v<Template>;
  auto* const kernel = prototype::lcsf::kernel<Template>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared),
        "shared memory");
  kernel<<<2, prototype::detail::NUM_THREADS_v<Template>, kShared>>>(globals);
  std::vector<float> expected(v.size());
  for (int head = 0; head < kHeads; ++head) {
    for (int i = 0; i < kRows; ++i) {
      float decay = 0;
      for (int j = i; j >= 0; --j) {
        float dot = 0;
        for (int e = 0; e < kWidth; ++e) dot += q[i * kWidth + e] * k[j * kWidth + e];
        dot *= std::exp(decay);
        for (int e = 0; e < kWidth; ++e) {
          expected[(head * kRows + i) * kWidth + e] += dot * v[(head * kRows + j) * kWidth + e];
        }
        decay += a[head * kRows + j];
      }
    }
  }
  // States and weights are of bf16.
  return Compare(out.Host(), expected, 0.03F, 0.2F);
}
