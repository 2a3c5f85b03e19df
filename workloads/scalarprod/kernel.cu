// Dot products of pairs of vectors, a pair per thread block at a time: 1,024 partial sums in shared
// memory, each over every 1,024th element, and a tree that adds them.
constexpr int kSums = 1024;

extern "C" __global__ void scalarprod(float* result, const float* a, const float* b, int vectors,
                                      int elements) {
  __shared__ float sums[kSums];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int begin = vector * elements;
    const int end = begin + elements;
    for (int s = threadIdx.x; s < kSums; s += blockDim.x) {
      float sum = 0;
      for (int i = begin + s; i < end; i += kSums) sum += a[i] * b[i];
      sums[s] = sum;
    }
    for (int half = kSums / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int s = threadIdx.x; s < half; s += blockDim.x) sums[s] += sums[s + half];
    }
    __syncthreads();
    if (threadIdx.x == 0) result[vector] = sums[0];
  }
}
