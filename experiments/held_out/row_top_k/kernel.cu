// The eight largest of each row, in order: a row per TB, kept in registers, from which the largest
// is taken again and again. A key holds the value and the column, so that keys differ. No two TBs
// share data.
constexpr int kThreads = 128;
constexpr int kEach = 8;
constexpr int kWanted = 8;

extern "C" __global__ void __launch_bounds__(kThreads)
    row_top_k(const unsigned* in, unsigned* out) {
  __shared__ unsigned part[kThreads];
  const int t = threadIdx.x;
  const int columns = kThreads * kEach;
  unsigned key[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int x = i * kThreads + t;
    key[i] = in[blockIdx.x * columns + x] * columns + x;
  }
  for (int rank = 0; rank < kWanted; ++rank) {
    unsigned largest = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) largest = max(largest, key[i]);
    part[t] = largest;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (t < half) part[t] = max(part[t], part[t + half]);
      __syncthreads();
    }
    largest = part[0];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (key[i] == largest) key[i] = 0;
    }
    if (t == 0) out[blockIdx.x * kWanted + rank] = largest;
  }
}
