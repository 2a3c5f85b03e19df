// ThunderKittens' linear attention with decay, `linear_attention.cu`: a row of the result is the
// sum over the rows before it of exp(-slope distance) (q k') v, in chunks of 64 rows.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "linear_attention.cu"
#undef main

#include "attention.h"

int main() {
  using namespace real_kernels;  // NOLINT
  constexpr int kHeads = 2, kRows = 256, kWidth = ATTN_D;
  const std::vector<float> slopes = {0.05F, 0.3F};
  std::vector<float> q, k, v;
  Buffer<bf16> device_q(Narrowed<bf16>(kHeads * kRows * kWidth, 1, &q)),
      device_k(Narrowed<bf16>(q.size(), 2, &k)), device_v(Narrowed<bf16>(q.size(), 3, &v)),
      out(q.size());
  Buffer<float> device_slopes(slopes);
  const la_globals globals = la_init(device_q.get(), device_k.get(), device_v.get(), out.get(),
                                     device_slopes.get(), 1, kHeads, kRows);
  const int shared = kittens::MAX_SHARED_MEMORY - 1024;
  Check(cudaFuncSetAttribute(la_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  la_kernel<<<dim3(kHeads, 1), NUM_THREADS, shared>>>(globals, kRows);
  std::vector<float> expected(q.size());
  for (int head = 0; head < kHeads; ++head) {
    for (int i = 0; i < kRows; ++i) {
      float* const to = &expected[(head * kRows + i) * kWidth];
      for (int j = 0; j <= i; ++j) {
        float dot = 0;
        for (int e = 0; e < kWidth; ++e) {
          dot += q[(head * kRows + i) * kWidth + e] * k[(head * kRows + j) * kWidth + e];
        }
        dot *= std::exp(-slopes[head] * float(i - j));
        for (int e = 0; e < kWidth; ++e) to[e] += dot * v[(head * kRows + j) * kWidth + e];
      }
    }
  }
  // States and both parts of the sum are of bf16.
  return Compare(out.Host(), expected, 0.03F, 0.3F);
}
