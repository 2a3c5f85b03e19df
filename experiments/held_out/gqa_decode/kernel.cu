// Grouped-query attention for one new token: a TB has one query head of one sequence, and kGroup
// heads in a row share the keys and values of the sequence. Keys lie with positions side by side,
// values with elements side by side. TBs of a group share all that they read but the query.
constexpr int kElements = 64;
constexpr int kThreads = 128;
constexpr int kGroup = 4;
constexpr int kMostKeys = 512;

extern "C" __global__ void __launch_bounds__(kThreads)
    gqa_decode(const float* q, const float* k, const float* v, float* out, int keys) {
  __shared__ float query[kElements];
  __shared__ float weight[kMostKeys];
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  const int head = blockIdx.y * gridDim.x + blockIdx.x;
  const float* own_k = k + head / kGroup * kElements * keys;
  const float* own_v = v + head / kGroup * kElements * keys;
  if (t < kElements) query[t] = q[head * kElements + t] * 0.125F;
  __syncthreads();
  float best = -1e30F;
  for (int key = t; key < keys; key += kThreads) {
    float score = 0;
    for (int i = 0; i < kElements; ++i) score += query[i] * own_k[i * keys + key];
    weight[key] = score;
    best = fmaxf(best, score);
  }
  part[t] = best;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  best = part[0];
  __syncthreads();
  // A thread has one element, and every second value.
  const int element = t % kElements;
  float sum = 0;
  float total = 0;
  for (int key = t / kElements; key < keys; key += kThreads / kElements) {
    const float share = __expf(weight[key] - best);
    total += share;
    sum += share * own_v[key * kElements + element];
  }
  part[t] = sum;
  __syncthreads();
  const float both = sum + part[t ^ kElements];
  __syncthreads();
  part[t] = total;
  __syncthreads();
  if (t < kElements) out[head * kElements + t] = both / (total + part[t + kElements]);
}
