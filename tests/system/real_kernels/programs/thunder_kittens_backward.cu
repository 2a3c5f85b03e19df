// ThunderKittens' attention of H100, backward: `mha_h100.cu`, heads of 64 elements. The forward
// kernel comes first, then the sums of each row, then the gradients, which it adds up in global
// memory.
#define main main_of_the_sample
#include "mha_h100.cu"
#undef main

#include "attention.h"

using namespace real_kernels;  // NOLINT

constexpr int kWidth = 64;
constexpr unsigned kHeads = 1, kRows = 768, kColumns = kWidth;
constexpr float kScale = 0.125F;

struct Gradients {
  std::vector<float> q, k, v;
};

Gradients Expected(const std::vector<float>& q, const std::vector<float>& k,
                   const std::vector<float>& v, const std::vector<float>& out_gradient,
                   bool causal) {
  Gradients g = {std::vector<float>(q.size()), std::vector<float>(q.size()),
                 std::vector<float>(q.size())};
  std::vector<float> weights(kRows), changes(kRows);
  for (unsigned i = 0; i < kRows; ++i) {
    const unsigned seen = causal ? i + 1 : kRows;
    float most = -INFINITY, sum = 0, mean = 0;
    for (unsigned j = 0; j < seen; ++j) {
      float dot = 0, change = 0;
      for (int e = 0; e < kWidth; ++e) {
        dot += q[i * kWidth + e] * k[j * kWidth + e];
        change += out_gradient[i * kWidth + e] * v[j * kWidth + e];
      }
      weights[j] = dot * kScale;
      changes[j] = change;
      most = std::fmax(most, weights[j]);
    }
    for (unsigned j = 0; j < seen; ++j) sum += weights[j] = std::exp(weights[j] - most);
    for (unsigned j = 0; j < seen; ++j) mean += (weights[j] /= sum) * changes[j];
    for (unsigned j = 0; j < seen; ++j) {
      const float slope = kScale * weights[j] * (changes[j] - mean);
      for (int e = 0; e < kWidth; ++e) {
        g.v[j * kWidth + e] += weights[j] * out_gradient[i * kWidth + e];
        g.q[i * kWidth + e] += slope * k[j * kWidth + e];
        g.k[j * kWidth + e] += slope * q[i * kWidth + e];
      }
    }
  }
  return g;
}

template <class Layout, class T>
Layout Rows(const Buffer<T>& buffer) {
  return Layout{buffer.get(), 1U, kHeads, kRows, kColumns};
}
template <class Layout>
Layout Sums(const Buffer<float>& buffer) {
  return Layout{buffer.get(), 1U, kHeads, 1U, kRows};
}

template <class Globals>
void Launch(void (*kernel)(Globals), dim3 grid, int threads, int shared, const Globals& globals) {
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  kernel<<<grid, threads, shared>>>(globals);
}

template <bool kCausal>
int Run() {
  std::vector<float> wide_q, wide_k, wide_v, wide_g;
  const size_t count = kRows * kWidth;
  Buffer<bf16> q(Narrowed<bf16>(count, 1, &wide_q)), k(Narrowed<bf16>(count, 2, &wide_k)),
      v(Narrowed<bf16>(count, 3, &wide_v)), g(Narrowed<bf16>(count, 4, &wide_g)), out(count);
  Buffer<float> norms(kRows), sums(kRows), of_q(count), of_k(count), of_v(count);
  using Forward = fwd_globals<kWidth>;
  Launch(fwd_attend_ker<kWidth, kCausal>, dim3(kRows / 192, kHeads), 32 * NUM_WORKERS,
         kittens::MAX_SHARED_MEMORY - 1024,
         Forward{Rows<typename Forward::q_gl>(q), Rows<typename Forward::k_gl>(k),
                 Rows<typename Forward::v_gl>(v), Sums<typename Forward::l_gl>(norms),
                 Rows<typename Forward::o_gl>(out), int(kRows), 1});
  using Prepare = bwd_prep_globals<kWidth>;
  Launch(bwd_attend_prep_ker<kWidth>, dim3(kRows / 256, kHeads), 128, 80'000,
         Prepare{Rows<typename Prepare::og_gl>(g), Rows<typename Prepare::o_gl>(out),
                 Sums<typename Prepare::d_gl>(sums)});
  using Backward = bwd_globals<kWidth>;
  Launch(bwd_attend_ker<kWidth, kCausal>, dim3(kRows / (64 * BWD_CONSUMER_WARPGROUPS), kHeads),
         32 * BWD_NUM_WORKERS, 117'760,
         Backward{Rows<typename Backward::q_gl>(q), Rows<typename Backward::k_gl>(k),
                  Rows<typename Backward::v_gl>(v), Rows<typename Backward::og_gl>(g),
                  Rows<typename Backward::qg_gl>(of_q), Rows<typename Backward::kg_gl>(of_k),
                  Rows<typename Backward::vg_gl>(of_v), Sums<typename Backward::l_gl>(norms),
                  Sums<typename Backward::d_gl>(sums), int(kRows), 1});
  const Gradients expected = Expected(wide_q, wide_k, wide_v, wide_g, kCausal);
  std::vector<float> got = of_q.Host(), all = expected.q;
  for (const auto* part : {&of_k, &of_v}) {
    const std::vector<float> host = part->Host();
    got.insert(got.end(), host.begin(), host.end());
  }
  all.insert(all.end(), expected.k.begin(), expected.k.end());
  all.insert(all.end(), expected.v.begin(), expected.v.end());
  return Compare(got, all, 0.03F, 0.01F);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (name == "full") return Run<false>();
  if (name == "causal") return Run<true>();
  std::printf("full causal\n");
  return 2;
}
