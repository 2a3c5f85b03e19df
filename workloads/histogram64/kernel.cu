// Histogram of the upper six bits of bytes: every thread counts in 64 byte-sized counters of its
// own in shared memory, which need no atomics and hold 255 at most, so that a thread reads at most
// 15 times 16 bytes. The counters lie bin by bin, 64 threads' bytes in a row; the threads' places
// in a row are mixed so that a warp touches all banks. A second kernel adds the blocks' tables.
constexpr unsigned kThreads = 64;
constexpr unsigned kBins = 64;
constexpr unsigned kMergeThreads = 256;

__device__ static void CountWord(unsigned char* own, unsigned word) {
  for (int shift = 2; shift < 32; shift += 8) ++own[(word >> shift & 63) * kThreads];
}

extern "C" __global__ void histogram64(unsigned* partial, const uint4* data, unsigned count) {
  __shared__ unsigned table[kBins * kThreads / 4];
  // Threads t, t + 16, t + 32 and t + 48 share a word; no two of them are in one half of a warp.
  const unsigned place = (threadIdx.x & 15) * 4 | threadIdx.x >> 4;
  unsigned char* const own = reinterpret_cast<unsigned char*>(table) + place;
#pragma unroll
  for (unsigned i = 0; i < kBins / 4; ++i) table[threadIdx.x + i * kThreads] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const uint4 v = data[i];
    CountWord(own, v.x);
    CountWord(own, v.y);
    CountWord(own, v.z);
    CountWord(own, v.w);
  }
  __syncthreads();
  // Thread t adds row t, each starting at another word: no bank conflicts.
  const unsigned* const row = table + threadIdx.x * (kThreads / 4);
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kThreads / 4; ++i) {
    const unsigned four = row[(threadIdx.x + i) & (kThreads / 4 - 1)];
    sum += (four & 255) + (four >> 8 & 255) + (four >> 16 & 255) + (four >> 24);
  }
  partial[blockIdx.x * kBins + threadIdx.x] = sum;
}

extern "C" __global__ void histogram64_merge(unsigned* histogram, const unsigned* partial,
                                             unsigned partials) {
  __shared__ unsigned sums[kMergeThreads];
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < partials; i += kMergeThreads) {
    sum += partial[i * kBins + blockIdx.x];
  }
  sums[threadIdx.x] = sum;
  for (unsigned half = kMergeThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) histogram[blockIdx.x] = sums[0];
}
