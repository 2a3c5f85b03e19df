// out = softmax(Q K^T / 8) V, forward, one row of 64 elements per query: a thread has a query, a block
// 64 of them of one head, and goes through all keys and values 32 at a time by way of shared memory,
// with a running maximum. Heads in groups share keys and values (grouped queries).
constexpr int kRow = 64;
constexpr int kQueries = 64;
constexpr int kKeys = 32;

extern "C" __global__ void __launch_bounds__(64)
    attention(const float* q, const float* k, const float* v, float* out, int rows, int group) {
  __shared__ float keys[kKeys][kRow];
  __shared__ float values[kKeys][kRow];
  const int head = blockIdx.z * gridDim.y + blockIdx.y;
  const int query = blockIdx.x * kQueries + threadIdx.x;
  const float* own_q = q + (head * rows + query) * kRow;
  const float* own_k = k + head / group * rows * kRow;
  const float* own_v = v + head / group * rows * kRow;
  float sum[kRow] = {};
  float best = -1e30F;
  float weights = 0;
  for (int first = 0; first < rows; first += kKeys) {
#pragma unroll
    for (int i = 0; i < kKeys * kRow / 4; i += kQueries) {
      const int at = 4 * (i + threadIdx.x);
      *reinterpret_cast<float4*>(&keys[0][0] + at) =
          *reinterpret_cast<const float4*>(own_k + first * kRow + at);
      *reinterpret_cast<float4*>(&values[0][0] + at) =
          *reinterpret_cast<const float4*>(own_v + first * kRow + at);
    }
    __syncthreads();
    for (int key = 0; key < kKeys; ++key) {
      float score = 0;
#pragma unroll
      for (int i = 0; i < kRow; i += 4) {
        const float4 part = *reinterpret_cast<const float4*>(own_q + i);
        score += part.x * keys[key][i] + part.y * keys[key][i + 1] + part.z * keys[key][i + 2] +
                 part.w * keys[key][i + 3];
      }
      score *= 0.125F;
      const float next = score > best ? score : best;
      const float scale = __expf(best - next);
      const float weight = __expf(score - next);
      best = next;
      weights = weights * scale + weight;
#pragma unroll
      for (int i = 0; i < kRow; ++i) sum[i] = sum[i] * scale + weight * values[key][i];
    }
    __syncthreads();
  }
  float* own_out = out + (head * rows + query) * kRow;
#pragma unroll
  for (int i = 0; i < kRow; ++i) own_out[i] = sum[i] / weights;
}
