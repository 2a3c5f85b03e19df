// TensorRT-LLM's XQA of Hopper, as FlashInfer has it: attention of one query a head with a paged
// cache of keys and values. -DCACHE_ELEM_ENUM=0 has a cache of halves, 2 one of e4m3.
#include "attention.h"
#include "mha_sm90.cu"
#include "tensorMap.cpp"

using namespace real_kernels;  // NOLINT

int main() {
  constexpr int kBatches = 2, kKvHeads = 2, kPages = 8;  // of a sequence at most
  constexpr int kHeads = kKvHeads * headGrpSize, kWidth = validElemsPerHead;
  constexpr uint32_t kMostTokens = kPages * tokensPerPage;
  const std::vector<uint32_t> lengths = {150, 201};
  std::vector<float> wide_q, wide_k, wide_v;
  const size_t of_cache = size_t(kBatches) * kMostTokens * kKvHeads * kWidth;
  Buffer<InputElem> q(Narrowed<InputElem>(kBatches * kHeads * kWidth, 1, &wide_q));
  Buffer<CacheElem> k(Narrowed<CacheElem>(of_cache, 2, &wide_k));
  Buffer<CacheElem> v(Narrowed<CacheElem>(of_cache, 3, &wide_v));
  // Page p of the cache is the sequences' last but p.
  std::vector<KVCachePageIndex> pages(kBatches * kPages);
  for (size_t i = 0; i < pages.size(); ++i) pages[i] = int(pages.size() - 1 - i);
  Buffer<KVCachePageIndex> device_pages(pages);
  Buffer<uint32_t> device_lengths(lengths), semaphores(1024);
  Buffer<uint8_t> scratch(16 << 20);
  Buffer<OutputElem> out(kBatches * kHeads * kWidth);
  launchHopperF8MHAFlashInfer(
      132, kKvHeads, /*slidingWinSize=*/0, /*qScale=*/1.0F, nullptr,
      reinterpret_cast<OutputHead*>(out.get()), reinterpret_cast<InputHead const*>(q.get()),
      nullptr, reinterpret_cast<GMemCacheHead*>(k.get()), reinterpret_cast<GMemCacheHead*>(v.get()),
      device_pages.get(), kMostTokens, device_lengths.get(), kBatches, /*kvCacheScale=*/1.0F,
      nullptr, semaphores.get(), scratch.get(), false, uint64_t{tokensPerPage} * kKvHeads * kWidth,
      kKvHeads * kWidth, kWidth, nullptr);
  std::vector<float> expected;
  for (int b = 0; b < kBatches; ++b) {
    AttentionShape s;
    s.queries = 1;
    s.keys = int(lengths[b]);
    s.heads = kHeads;
    s.kv_heads = kKvHeads;
    s.width = kWidth;
    s.scale = 1 / std::sqrt(float(kWidth));
    std::vector<float> keys, values;
    for (int token = 0; token < s.keys; ++token) {
      const size_t page = pages[size_t(b) * kPages + token / tokensPerPage];
      const size_t row = (page * tokensPerPage + token % tokensPerPage) * kKvHeads * kWidth;
      keys.insert(keys.end(), &wide_k[row], &wide_k[row] + kKvHeads * kWidth);
      values.insert(values.end(), &wide_v[row], &wide_v[row] + kKvHeads * kWidth);
    }
    const std::vector<float> query(&wide_q[size_t(b) * kHeads * kWidth],
                                   &wide_q[size_t(b) * kHeads * kWidth] + kHeads * kWidth);
    const std::vector<float> one = Attention(s, query, keys, values);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  // Queries and weights are of 8 bits where the cache is.
  const float absolute = CACHE_ELEM_ENUM == 2 ? 0.02F : 0.003F;
  return Compare(out.Host(), expected, 0.02F, absolute);
}
