// Attention in which a query sees the keys up to its own position: a TB is one warp with 32 queries
// of a head, and goes through the tiles of keys and values up to the diagonal. TBs of a head share
// the first keys; the last TB of a head has most work.
constexpr int kElements = 32;
constexpr int kTile = 32;

extern "C" __global__ void __launch_bounds__(kTile)
    causal_attention(const float* q, const float* k, const float* v, float* out, int rows) {
  __shared__ float keys[kTile][kElements];
  __shared__ float values[kTile][kElements];
  const int lane = threadIdx.x;
  const int query = blockIdx.x * kTile + lane;
  const int head = blockIdx.y * rows * kElements;
  float own[kElements];
  float sum[kElements];
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    own[i] = q[head + query * kElements + i] * 0.17678F;
    sum[i] = 0;
  }
  float best = -1e30F;
  float total = 0;
  for (int first = 0; first <= static_cast<int>(blockIdx.x) * kTile; first += kTile) {
    for (int row = 0; row < kTile; ++row) {
      keys[row][lane] = k[head + (first + row) * kElements + lane];
      values[row][lane] = v[head + (first + row) * kElements + lane];
    }
    __syncthreads();
    for (int row = 0; row < kTile; ++row) {
      float score = 0;
#pragma unroll
      for (int i = 0; i < kElements; ++i) score += own[i] * keys[row][i];
      if (first + row > query) score = -1e30F;
      const float next = fmaxf(best, score);
      const float keep = __expf(best - next);
      const float share = __expf(score - next);
      best = next;
      total = total * keep + share;
#pragma unroll
      for (int i = 0; i < kElements; ++i) sum[i] = sum[i] * keep + share * values[row][i];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kElements; ++i) out[head + query * kElements + i] = sum[i] / total;
}
