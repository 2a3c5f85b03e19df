// DeepGEMM's other kernels of Hopper: sums of batched products, a product beside sums of squares,
// and the scores of an indexer.
#include <deep_gemm/impls/sm90_bmk_bnk_mn.cuh>
#include <deep_gemm/impls/sm90_fp8_mqa_logits.cuh>
#include <deep_gemm/impls/sm90_tf32_hc_prenorm_gemm.cuh>

#include "tensor_map.h"

using namespace real_kernels;  // NOLINT
using Bf16 = cutlass::bfloat16_t;
using E4m3 = cutlass::float_e4m3_t;

constexpr auto kHalves = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
constexpr auto kFloats = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
constexpr auto kBytes = CU_TENSOR_MAP_DATA_TYPE_UINT8;

template <class T>
std::vector<T> Numbers(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = T(random.Whole(-2, 2));
  return numbers;
}
const cute::TmaDescriptor& Cute(const CUtensorMap& map) {
  return reinterpret_cast<const cute::TmaDescriptor&>(map);
}

// D is the sum over s of A[s] B[s]'.
int Batched() {
  constexpr int kS = 3, kM = 128, kN = 256, kK = 128, kSplit = 2, kStages = 4;
  const auto a = Numbers<Bf16>(kS * kM * kK, 1), b = Numbers<Bf16>(kS * kN * kK, 2);
  Buffer<Bf16> device_a(a), device_b(b);
  Buffer<float> d(kM * kN);
  const auto map_a = TensorMap2d(kHalves, device_a.get(), kK, kS * kM, kK * 2, 64, 128, 128);
  const auto map_b = TensorMap2d(kHalves, device_b.get(), kK, kS * kN, kK * 2, 64, 128, 128);
  constexpr int kBlocks = kM / 128 * (kN / 128) * (kS * (kK / 64) / kSplit);
  Launch(deep_gemm::sm90_bmn_bnk_mn_gemm_impl<kM, kN, kK, 128, 128, 64, kSplit, kStages, 128, 256>,
         dim3(kBlocks), dim3(384), kStages * (2 * 128 * 64 * 2 + 16), 1, uint32_t{kS}, Cute(map_a),
         Cute(map_b), d.get());
  std::vector<float> expected(kM * kN);
  for (int s = 0; s < kS; ++s) {
    for (int i = 0; i < kM; ++i) {
      for (int j = 0; j < kN; ++j) {
        for (int k = 0; k < kK; ++k) {
          expected[i * kN + j] += float(a[(s * kM + i) * kK + k]) * float(b[(s * kN + j) * kK + k]);
        }
      }
    }
  }
  return Compare(d.Host(), expected);
}

// D = A B', of bf16 and tf32, and the sums of A's squares by row behind it.
int Prenorm() {
  constexpr int kM = 136, kN = 24, kK = 256, kBlockN = 32, kStages = 8;
  const auto a = Numbers<Bf16>(kM * kK, 1);
  const auto b = Numbers<float>(kN * kK, 2);
  Buffer<Bf16> device_a(a);
  Buffer<float> device_b(b), d(kM * kN), squares(kM);
  const auto map_a = TensorMap2d(kHalves, device_a.get(), kK, kM, kK * 2, 64, 64, 128);
  const auto map_b = TensorMap2d(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, device_b.get(), kK, kN, kK * 4,
                                 32, kBlockN, 128);
  const auto map_d = TensorMap2d(kFloats, d.get(), kN, kM, kN * 4, kBlockN, 64, 128);
  Launch(
      deep_gemm::sm90_tf32_hc_prenorm_gemm_impl<kN, kK, 64, kBlockN, 64, 1, 128, kStages, 128, 128>,
      dim3((kM + 63) / 64), dim3(256), 232448, 1, uint32_t{kM}, Cute(map_a), Cute(map_b),
      Cute(map_d), squares.get());
  std::vector<float> got = d.Host(), expected(kM * kN + kM);
  const std::vector<float> sums = squares.Host();
  got.insert(got.end(), sums.begin(), sums.end());
  for (int i = 0; i < kM; ++i) {
    for (int k = 0; k < kK; ++k) {
      const float value(a[i * kK + k]);
      for (int j = 0; j < kN; ++j) expected[i * kN + j] += value * b[j * kK + k];
      expected[kM * kN + i] += value * value;
    }
  }
  return Compare(got, expected);
}

// The score of a query for a key: the sum over heads of weight max(q k', 0), times the key's scale.
int Logits() {
  constexpr int kHeads = 32, kWidth = 128, kQueries = 10, kKeys = 600, kBlockQ = 4,
                kBlockKeys = 256;
  constexpr int kSms = 2, kStages = 3, kMath = 512;
  const auto q = Numbers<E4m3>(kQueries * kHeads * kWidth, 1);
  const auto keys = Numbers<E4m3>(kKeys * kWidth, 2);
  const auto weights = Numbers<float>(kQueries * kHeads, 3);
  std::vector<float> scales(kKeys);
  for (int j = 0; j < kKeys; ++j) scales[j] = std::ldexp(1.0F, j % 3 - 1);
  std::vector<uint32_t> begins(kQueries), ends(kQueries);
  for (int i = 0; i < kQueries; ++i) {
    begins[i] = 17 * i;
    ends[i] = kKeys - 100 + 10 * i;
  }
  Buffer<E4m3> device_q(q), device_keys(keys);
  Buffer<float> device_weights(weights), device_scales(scales);
  Buffer<uint32_t> device_begins(begins), device_ends(ends);
  constexpr uint32_t kStride = 1024;  // with room for the last block of keys
  Buffer<float> out((kQueries + kBlockQ) * kStride);
  const auto map_q = TensorMap2d(kBytes, device_q.get(), kWidth, kQueries * kHeads, kWidth, kWidth,
                                 kBlockQ * kHeads, 128);
  const auto map_keys =
      TensorMap2d(kBytes, device_keys.get(), kWidth, kKeys, kWidth, kWidth, kBlockKeys, 128);
  const auto map_scales =
      TensorMap2d(kFloats, device_scales.get(), kKeys, 1, kKeys * 4, kBlockKeys, 1, 0);
  const auto map_weights =
      TensorMap2d(kFloats, device_weights.get(), kHeads, kQueries, kHeads * 4, kHeads, kBlockQ, 0);
  const size_t shared = kStages * (kBlockQ * kHeads * (kWidth + 4) + kBlockKeys * (kWidth + 4)) +
                        (4 * kStages + 8) * 8 + 16;
  Launch(deep_gemm::sm90_fp8_mqa_logits<kHeads, kWidth, false, kBlockQ, kBlockKeys, kStages,
                                        kStages, kSms, 128, kMath, float>,
         dim3(kSms), dim3(128 + kMath), shared, 1, uint32_t{kQueries}, uint32_t{kKeys}, 0u, kStride,
         device_begins.get(), device_ends.get(), out.get(), Cute(map_q), Cute(map_keys),
         Cute(map_scales), Cute(map_weights));
  const std::vector<float> all = out.Host();
  std::vector<float> got, expected;
  for (int i = 0; i < kQueries; ++i) {
    for (uint32_t j = begins[i]; j < ends[i]; ++j) {
      float score = 0;
      for (int h = 0; h < kHeads; ++h) {
        float dot = 0;
        for (int e = 0; e < kWidth; ++e) {
          dot += float(q[(i * kHeads + h) * kWidth + e]) * float(keys[j * kWidth + e]);
        }
        score += weights[i * kHeads + h] * std::fmax(dot, 0.0F);
      }
      got.push_back(all[i * kStride + j]);
      expected.push_back(score * scales[j]);
    }
  }
  return Compare(got, expected);
}

int main(int count, char** words) {
  const std::string name = count == 2 ? words[1] : "";
  if (name == "batched") return Batched();
  if (name == "prenorm") return Prenorm();
  if (name == "logits") return Logits();
  std::printf("batched prenorm logits\n");
  return 2;
}
