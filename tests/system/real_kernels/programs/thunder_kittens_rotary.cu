// ThunderKittens' rotary embedding, `rotary.cu`: each half of a head turned by an angle. The sample
// loads angles at a plain coordinate, which counts rows and not tiles: tile t has those of the rows
// from t on.
#include <chrono>
#include <fstream>

#define main main_of_the_sample
#include "rotary.cu"
#undef main

#include "check.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Template = rotary_template<ATTN_D>;
  constexpr int kBatches = 2, kHeads = 2, kRows = 160, kWidth = ATTN_D, kHalf = kWidth / 2;
  Random random(1);
  std::vector<bf16> x(kBatches * kHeads * kRows * kWidth), sine(kRows * kHalf), cosine(sine.size());
  for (bf16& number : x) number = bf16(random.Real(-1, 1));
  for (size_t i = 0; i < sine.size(); ++i) {
    const float angle = random.Real(0, 3);
    sine[i] = bf16(std::sin(angle));
    cosine[i] = bf16(std::cos(angle));
  }
  Buffer<bf16> device_x(x), device_sine(sine), device_cosine(cosine), out(x.size());
  using Sequences = typename Template::layout::seq_global;
  using Angles = typename Template::layout::rope_global;
  typename Template::layout::globals globals{
      Sequences{out.get(), kBatches, kHeads, kRows, nullptr},
      Sequences{device_x.get(), kBatches, kHeads, kRows, nullptr},
      Angles{device_sine.get(), nullptr, nullptr, kRows, nullptr},
      Angles{device_cosine.get(), nullptr, nullptr, kRows, nullptr}, 4};
  const int shared = MAX_SHARED_MEMORY - 2048;
  auto* const kernel = prototype::lcsf::kernel<Template>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory");
  constexpr int kBlockRows = Template::NUM_CONSUMER_WARPS * Template::layout::seq_tile::rows;
  kernel<<<dim3((kRows + kBlockRows - 1) / kBlockRows, 1),
           prototype::detail::NUM_THREADS_v<Template>, shared>>>(globals);
  std::vector<float> expected(x.size());
  for (size_t row = 0; row < x.size() / kWidth; ++row) {
    for (int e = 0; e < kHalf; ++e) {
      const size_t angle = (row % kRows / 16 + row % 16) * kHalf + e;
      const float first = float(x[row * kWidth + e]), second = float(x[row * kWidth + kHalf + e]);
      const float s = float(sine[angle]), c = float(cosine[angle]);
      expected[row * kWidth + e] = first * c - second * s;
      expected[row * kWidth + kHalf + e] = second * c + first * s;
    }
  }
  return Compare(out.Host(), expected, 0.01F, 0.01F);
}
