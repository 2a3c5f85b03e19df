// DeepGEMM's bf16 kernels, as its JIT instantiates them: D = A B', both by rows of K.
#include <deep_gemm/impls/sm90_bf16_gemm.cuh>

#include "tensor_map.h"

using namespace real_kernels;  // NOLINT
using deep_gemm::GemmType;
using Bf16 = cutlass::bfloat16_t;

constexpr int kTmaThreads = 128, kSms = 4;

template <GemmType kType, int kBlockM, int kBlockN, int kGroups, int kCluster, bool kOnA, class D>
int Run(int m, int n, int k) {
  constexpr int kBlockK = 64, kStages = 4;
  constexpr int kMathThreads = kBlockM <= 64 ? 128 : 256;
  constexpr uint32_t kSwizzleD = std::is_same_v<D, float> ? 0 : 128;
  constexpr bool kMasked = kType == GemmType::MGroupedMasked;
  const int rows = kMasked ? m * kGroups : m;
  Random random(1);
  std::vector<Bf16> a(size_t(rows) * k), b(size_t(kGroups) * n * k);
  for (Bf16& number : a) number = Bf16(random.Whole(-2, 2));
  for (Bf16& number : b) number = Bf16(random.Whole(-2, 2));
  // Which group a row is of, or how many rows each group has.
  std::vector<int> layout(kMasked ? kGroups : m);
  for (size_t i = 0; i < layout.size(); ++i) {
    layout[i] = kMasked ? (m / 2 + 7 * int(i)) % m : int(i) * kGroups / m;
  }
  Buffer<Bf16> device_a(a), device_b(b);
  Buffer<int> device_layout(layout);
  Buffer<D> d(size_t(rows) * n);
  constexpr auto kType2 = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  const auto map_a = TensorMap2d(kType2, device_a.get(), k, rows, k * 2, kBlockK, kBlockM, 128);
  const auto map_b =
      TensorMap2d(kType2, device_b.get(), k, n * kGroups, k * 2, kBlockK, kBlockN, 128);
  const auto map_d = TensorMap2d(
      std::is_same_v<D, float> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : kType2, d.get(), n, rows,
      n * sizeof(D), kSwizzleD == 0 ? kBlockN : kSwizzleD / sizeof(D), kBlockM, kSwizzleD);
  const size_t shared = (kBlockM * kBlockN * sizeof(D) + 1023) / 1024 * 1024 +
                        kStages * (kBlockM + kBlockN) * kBlockK * 2 + 16 * 8 * 2;
  Launch(deep_gemm::sm90_bf16_gemm_impl<cute::UMMA::Major::K, cute::UMMA::Major::K, 0, 0, 0,
                                        kGroups, kBlockM, kBlockN, kBlockK, 128, 128, kSwizzleD,
                                        kStages, kTmaThreads, kMathThreads, kCluster, kOnA, kSms,
                                        kType, false, D>,
         dim3(kSms), dim3(kTmaThreads + kMathThreads), shared, kCluster, device_layout.get(), m, n,
         k, reinterpret_cast<const cute::TmaDescriptor&>(map_a),
         reinterpret_cast<const cute::TmaDescriptor&>(map_b),
         reinterpret_cast<const cute::TmaDescriptor&>(map_d));
  std::vector<D> got = d.Host();
  std::vector<float> expected(got.size());
  for (int i = 0; i < rows; ++i) {
    const int group = kMasked ? i / m : (kGroups == 1 ? 0 : layout[i]);
    const bool valid = !kMasked || i % m < layout[group];
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int e = 0; e < k; ++e) {
        sum += float(a[size_t(i) * k + e]) * float(b[(size_t(group) * n + j) * k + e]);
      }
      // What lies behind a group's rows is nobody's.
      if (!valid) got[size_t(i) * n + j] = D(sum);
      expected[size_t(i) * n + j] = float(D(sum));
    }
  }
  return Compare(got, expected);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  using enum GemmType;
  if (name == "normal") return Run<Normal, 128, 128, 1, 1, false, Bf16>(200, 136, 320);
  if (name == "multicast") return Run<Normal, 64, 128, 1, 2, true, Bf16>(192, 512, 192);
  if (name == "f32") return Run<Normal, 128, 64, 1, 2, false, float>(256, 136, 256);
  if (name == "contiguous")
    return Run<MGroupedContiguous, 128, 128, 2, 1, false, Bf16>(256, 128, 192);
  if (name == "masked") return Run<MGroupedMasked, 64, 128, 3, 1, false, Bf16>(64, 128, 192);
  std::printf("normal multicast f32 contiguous masked\n");
  return 2;
}
