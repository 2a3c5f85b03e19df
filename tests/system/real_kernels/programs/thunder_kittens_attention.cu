// ThunderKittens' attention of H100, forward: `mha_h100.cu`, its kernel of 64 or 128 elements a
// head, causal or not.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "mha_h100.cu"
#undef main

#include "attention.h"

using namespace real_kernels;  // NOLINT

template <int kWidth, bool kCausal>
int Run() {
  AttentionShape s;
  s.queries = s.keys = 384;
  s.heads = s.kv_heads = 2;
  s.width = kWidth;
  s.causal = kCausal;
  s.scale = 1 / std::sqrt(float(kWidth));
  const size_t count = size_t(s.queries) * s.heads * s.width;
  std::vector<float> wide_q, wide_k, wide_v;
  Buffer<bf16> q(Narrowed<bf16>(count, 1, &wide_q)), k(Narrowed<bf16>(count, 2, &wide_k)),
      v(Narrowed<bf16>(count, 3, &wide_v)), out(count);
  Buffer<float> norms(size_t(s.queries) * s.heads);
  using Globals = fwd_globals<kWidth>;
  const unsigned heads = s.heads, rows = s.queries, width = kWidth;
  Globals globals{typename Globals::q_gl{q.get(), 1U, heads, rows, width},
                  typename Globals::k_gl{k.get(), 1U, heads, rows, width},
                  typename Globals::v_gl{v.get(), 1U, heads, rows, width},
                  typename Globals::l_gl{norms.get(), 1U, heads, 1U, rows},
                  typename Globals::o_gl{out.get(), 1U, heads, rows, width},
                  s.queries,
                  1};
  const int shared = kittens::MAX_SHARED_MEMORY - 1024;
  auto* const kernel = fwd_attend_ker<kWidth, kCausal>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  const dim3 grid(s.queries / (CONSUMER_WARPGROUPS * kittens::TILE_ROW_DIM<bf16> * 4), s.heads, 1);
  kernel<<<grid, 32 * NUM_WORKERS, shared>>>(globals);
  return Compare(out.Host(), Attention(s, wide_q, wide_k, wide_v, {true}), 0.02F, 0.004F);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (name == "64") return Run<64, false>();
  if (name == "64_causal") return Run<64, true>();
  if (name == "128") return Run<128, false>();
  if (name == "128_causal") return Run<128, true>();
  std::printf("64 64_causal 128 128_causal\n");
  return 2;
}
