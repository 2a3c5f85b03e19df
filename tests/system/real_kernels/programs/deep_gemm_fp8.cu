// DeepGEMM's kernels on e4m3 with scales of 128 elements, as its JIT instantiates them: D = A B'.
#include <deep_gemm/impls/sm90_fp8_gemm_1d1d.cuh>
#include <deep_gemm/impls/sm90_fp8_gemm_1d2d.cuh>

#include "tensor_map.h"

using namespace real_kernels;  // NOLINT
using deep_gemm::GemmType;
using Bf16 = cutlass::bfloat16_t;
using E4m3 = cutlass::float_e4m3_t;

constexpr int kTmaThreads = 128, kSms = 4, kBlockK = 128, kStages = 4;
constexpr auto kBytes = CU_TENSOR_MAP_DATA_TYPE_UINT8;
constexpr auto kFloats = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;

std::vector<E4m3> Numbers(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<E4m3> numbers(count);
  for (E4m3& number : numbers) number = E4m3(random.Whole(-2, 2));
  return numbers;
}
// Powers of two, so that sums stay exact.
std::vector<float> Scales(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> scales(count);
  for (float& scale : scales) scale = std::ldexp(1.0F, random.Whole(-1, 1));
  return scales;
}
const cute::TmaDescriptor& Cute(const CUtensorMap& map) {
  return reinterpret_cast<const cute::TmaDescriptor&>(map);
}
size_t Up(size_t value, size_t to) { return (value + to - 1) / to * to; }

// Scales of A by row and 128 of K; of B by 128 columns and 128 of K, or by column too.
struct Problem {
  int rows, n, k, groups;
  bool by_column;
  size_t aligned_rows = Up(rows, 4), aligned_n = Up(n, 4), k_blocks = Up(k, 128) / 128,
         n_blocks = Up(n, 128) / 128;
  std::vector<E4m3> a = Numbers(size_t(rows) * k, 1), b = Numbers(size_t(groups) * n * k, 2);
  std::vector<float> scales_a = Scales(aligned_rows * k_blocks, 3);
  std::vector<float> scales_b = Scales((by_column ? aligned_n : n_blocks * groups) * k_blocks, 4);

  float Expected(int i, int j, int group) const {
    float sum = 0;
    for (size_t block = 0; block < k_blocks; ++block) {
      float part = 0;
      for (int e = int(block) * 128; e < k && e < int(block + 1) * 128; ++e) {
        part += float(a[size_t(i) * k + e]) * float(b[(size_t(group) * n + j) * k + e]);
      }
      const float of_b = by_column
                             ? scales_b[block * aligned_n + j]
                             : scales_b[(size_t(group) * n_blocks + j / 128) * k_blocks + block];
      sum += part * scales_a[block * aligned_rows + i] * of_b;
    }
    return sum;
  }
};

template <GemmType kType, int kBlockM, int kBlockN, int kGroups, int kCluster, bool kOnA>
int Run1d2d(int m, int n, int k) {
  constexpr bool kMasked = kType == GemmType::MGroupedMasked;
  constexpr int kMathThreads = kBlockM <= 64 ? 128 : 256;
  const Problem p{kMasked ? m * kGroups : m, n, k, kGroups, false};
  std::vector<int> layout(kMasked ? kGroups : m);
  for (size_t i = 0; i < layout.size(); ++i) {
    layout[i] = kMasked ? (m / 2 + 7 * int(i)) % m : int(i) * kGroups / m;
  }
  // Of masked groups, the scales of A have each group's rows together.
  std::vector<float> scales = p.scales_a;
  if (kMasked) {
    for (size_t block = 0; block < p.k_blocks; ++block) {
      for (int i = 0; i < p.rows; ++i) {
        scales[(size_t(i / m) * p.k_blocks + block) * m + i % m] =
            p.scales_a[block * p.aligned_rows + i];
      }
    }
  }
  Buffer<E4m3> a(p.a), b(p.b);
  Buffer<float> scales_a(scales), scales_b(p.scales_b);
  Buffer<int> device_layout(layout);
  Buffer<Bf16> d(size_t(p.rows) * n);
  const auto map_a = TensorMap2d(kBytes, a.get(), k, p.rows, k, kBlockK, kBlockM, 128);
  const auto map_b = TensorMap2d(kBytes, b.get(), k, n * kGroups, k, kBlockK, kBlockN, 128);
  const auto map_d =
      TensorMap2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, d.get(), n, p.rows, n * 2, 64, kBlockM, 128);
  const size_t row = kMasked ? m : p.aligned_rows;
  const auto map_scales = TensorMap2d(kFloats, scales_a.get(), row,
                                      p.k_blocks * (kMasked ? kGroups : 1), row * 4, kBlockM, 1, 0);
  const size_t shared = Up(kBlockM * kBlockN * 2, 1024) +
                        kStages * ((kBlockM + kBlockN) * kBlockK + Up(kBlockM * 4, 128)) +
                        Up(p.k_blocks * 4 * (kBlockK % kBlockN == 0 ? 1 : 2), 8) + 256;
  Launch(deep_gemm::sm90_fp8_gemm_1d2d_impl<cute::UMMA::Major::K, 0, 0, 0, kGroups, kBlockM,
                                            kBlockN, kBlockK, 128, 128, 128, kStages, kTmaThreads,
                                            kMathThreads, kCluster, kOnA, kSms, kType, Bf16,
                                            deep_gemm::epilogue::transform::EpilogueIdentity>,
         dim3(kSms), dim3(kTmaThreads + kMathThreads), shared, kCluster, scales_b.get(),
         device_layout.get(), m, n, k, Cute(map_a), Cute(map_b), Cute(map_d), Cute(map_scales));
  std::vector<Bf16> got = d.Host();
  std::vector<float> expected(got.size());
  for (int i = 0; i < p.rows; ++i) {
    const int group = kMasked ? i / m : (kGroups == 1 ? 0 : layout[i]);
    for (int j = 0; j < n; ++j) {
      const Bf16 value(p.Expected(i, j, group));
      if (kMasked && i % m >= layout[group]) got[size_t(i) * n + j] = value;
      expected[size_t(i) * n + j] = float(value);
    }
  }
  return Compare(got, expected);
}

template <int kBlockM, int kBlockN, int kCluster>
int Run1d1d(int m, int n, int k) {
  constexpr int kMathThreads = kBlockM <= 64 ? 128 : 256;
  const Problem p{m, n, k, 1, true};
  Buffer<E4m3> a(p.a), b(p.b);
  Buffer<float> scales_a(p.scales_a), scales_b(p.scales_b);
  Random random(5);
  std::vector<float> before(size_t(m) * n);
  for (float& number : before) number = float(random.Whole(-9, 9));
  Buffer<float> d(before);
  const auto map_a = TensorMap2d(kBytes, a.get(), k, m, k, kBlockK, kBlockM, 128);
  const auto map_b = TensorMap2d(kBytes, b.get(), k, n, k, kBlockK, kBlockN, 128);
  const auto map_d = TensorMap2d(kFloats, d.get(), n, m, n * 4, kBlockN, 64, 0);
  const auto map_scales_a = TensorMap2d(kFloats, scales_a.get(), p.aligned_rows, p.k_blocks,
                                        p.aligned_rows * 4, kBlockM, 1, 0);
  const auto map_scales_b =
      TensorMap2d(kFloats, scales_b.get(), p.aligned_n, p.k_blocks, p.aligned_n * 4, kBlockN, 1, 0);
  const size_t shared =
      Up(kBlockM * kBlockN * 4, 1024) +
      kStages * ((kBlockM + kBlockN) * kBlockK + Up(kBlockM * 4, 128) + Up(kBlockN * 4, 128)) + 256;
  Launch(deep_gemm::sm90_fp8_gemm_1d1d_impl<0, 0, 0, 1, kBlockM, kBlockN, kBlockK, 128, 128,
                                            kStages, kTmaThreads, kMathThreads, kCluster, false,
                                            kSms, GemmType::Normal, float>,
         dim3(kSms), dim3(kTmaThreads + kMathThreads), shared, kCluster, nullptr, nullptr, nullptr,
         nullptr, m, n, k, Cute(map_a), Cute(map_b), Cute(map_scales_a), Cute(map_scales_b),
         Cute(map_d));
  std::vector<float> expected = before;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) expected[size_t(i) * n + j] += p.Expected(i, j, 0);
  }
  return Compare(d.Host(), expected);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  using enum GemmType;
  if (name == "1d2d") return Run1d2d<Normal, 128, 128, 1, 1, false>(200, 136, 384);
  if (name == "1d2d_multicast") return Run1d2d<Normal, 64, 128, 1, 2, true>(192, 512, 256);
  if (name == "contiguous")
    return Run1d2d<MGroupedContiguous, 128, 128, 2, 1, false>(256, 128, 256);
  if (name == "masked") return Run1d2d<MGroupedMasked, 64, 128, 3, 1, false>(64, 128, 256);
  if (name == "1d1d") return Run1d1d<128, 128, 1>(200, 136, 384);
  std::printf("1d2d 1d2d_multicast contiguous masked 1d1d\n");
  return 2;
}
