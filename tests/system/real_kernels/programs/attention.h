// Attention of small tensors on the host, as the programs of this folder check kernels by it.
#ifndef FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_ATTENTION_H_
#define FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_ATTENTION_H_

#include "check.h"

namespace real_kernels {

struct AttentionShape {
  int batches = 1, queries = 200, keys = 200, heads = 2, kv_heads = 2, width = 64;
  bool causal = false;
  int left = -1;  // keys before the query's own place that it sees; -1: all
  float softcap = 0;
  float scale = 0.125F;
};

// Rows lie as (batch, place, head, element), or with `heads_first` as (batch, head, place,
// element).
struct AttentionLayout {
  bool heads_first = false;
  size_t At(int b, int place, int head, int places, int heads, int width) const {
    return (heads_first ? (size_t(b) * heads + head) * places + place
                        : (size_t(b) * places + place) * heads + head) *
           width;
  }
};

inline std::vector<float> Attention(const AttentionShape& s, const std::vector<float>& q,
                                    const std::vector<float>& k, const std::vector<float>& v,
                                    AttentionLayout layout = {}) {
  std::vector<float> out(size_t(s.batches) * s.queries * s.heads * s.width);
  std::vector<float> weights(s.keys);
  for (int b = 0; b < s.batches; ++b) {
    for (int head = 0; head < s.heads; ++head) {
      const int kv = head / (s.heads / s.kv_heads);
      for (int i = 0; i < s.queries; ++i) {
        const float* query = &q[layout.At(b, i, head, s.queries, s.heads, s.width)];
        const int place = i + s.keys - s.queries;  // the last query is at the last key
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < s.keys; ++j) {
          const bool seen = (!s.causal || j <= place) && (s.left < 0 || j >= place - s.left);
          const float* key = &k[layout.At(b, j, kv, s.keys, s.kv_heads, s.width)];
          float dot = 0;
          for (int e = 0; e < s.width; ++e) dot += query[e] * key[e];
          dot *= s.scale;
          if (s.softcap > 0) dot = s.softcap * std::tanh(dot / s.softcap);
          weights[j] = seen ? dot : -INFINITY;
          most = std::fmax(most, weights[j]);
        }
        for (float& weight : weights) sum += weight = std::exp(weight - most);
        float* to = &out[layout.At(b, i, head, s.queries, s.heads, s.width)];
        for (int j = 0; j < s.keys; ++j) {
          const float* value = &v[layout.At(b, j, kv, s.keys, s.kv_heads, s.width)];
          for (int e = 0; e < s.width; ++e) to[e] += weights[j] / sum * value[e];
        }
      }
    }
  }
  return out;
}

// Numbers of [-1, 1] as T, and what they are as floats.
template <class T>
std::vector<T> Narrowed(size_t count, uint64_t seed, std::vector<float>* wide) {
  Random random(seed);
  std::vector<T> numbers;
  for (size_t i = 0; i < count; ++i) {
    numbers.push_back(T(random.Real(-1, 1)));
    wide->push_back(static_cast<float>(numbers.back()));
  }
  return numbers;
}

}  // namespace real_kernels

#endif  // FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_ATTENTION_H_
