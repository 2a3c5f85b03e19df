// ThunderKittens' attention by its template of load, compute and finish: `mha_h100_lcf.cu`.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "mha_h100_lcf.cu"
#undef main

#include "attention.h"

using namespace real_kernels;  // NOLINT

template <int kWidth>
int Run() {
  AttentionShape s;
  s.queries = s.keys = 384;
  s.heads = s.kv_heads = 2;
  s.width = kWidth;
  s.scale = 1 / std::sqrt(float(kWidth));
  const size_t count = size_t(s.queries) * s.heads * s.width;
  std::vector<float> wide_q, wide_k, wide_v;
  Buffer<bf16> q(Narrowed<bf16>(count, 1, &wide_q)), k(Narrowed<bf16>(count, 2, &wide_k)),
      v(Narrowed<bf16>(count, 3, &wide_v)), out(count);
  using Template = attn_fwd_template<kWidth>;
  using Queries = typename Template::layout::qo_global;
  using Keys = typename Template::layout::kv_global;
  const size_t heads = s.heads, rows = s.queries;
  typename Template::layout::globals globals{Queries(out.get(), size_t{1}, heads, rows, nullptr),
                                             Queries(q.get(), size_t{1}, heads, rows, nullptr),
                                             Keys(k.get(), size_t{1}, heads, rows, nullptr),
                                             Keys(v.get(), size_t{1}, heads, rows, nullptr)};
  const int shared = kittens::MAX_SHARED_MEMORY - 2000;
  auto* const kernel = prototype::lcf::kernel<Template>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  kernel<<<4, prototype::detail::NUM_THREADS_v<Template>, shared>>>(globals);
  return Compare(out.Host(), Attention(s, wide_q, wide_k, wide_v, {true}), 0.02F, 0.004F);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (name == "64") return Run<64>();
  if (name == "128") return Run<128>();
  std::printf("64 128\n");
  return 2;
}
