// Histogram of bytes with 256 bins: every warp counts in a table of its own in shared memory, with
// atomics; a thread block adds its warps' tables; a second kernel adds the blocks', a bin per
// block.
constexpr unsigned kWarps = 6;
constexpr unsigned kThreads = 32 * kWarps;
constexpr unsigned kBins = 256;
constexpr unsigned kMergeThreads = 256;

extern "C" __global__ void histogram256(unsigned* partial, const unsigned* words, unsigned count) {
  __shared__ unsigned table[kWarps * kBins];
  for (unsigned i = threadIdx.x; i < kWarps * kBins; i += kThreads) table[i] = 0;
  unsigned* const own = table + threadIdx.x / 32 * kBins;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const unsigned word = words[i];
    atomicAdd(own + (word & 255), 1U);
    atomicAdd(own + (word >> 8 & 255), 1U);
    atomicAdd(own + (word >> 16 & 255), 1U);
    atomicAdd(own + (word >> 24), 1U);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kBins; bin += kThreads) {
    unsigned sum = 0;
    for (unsigned warp = 0; warp < kWarps; ++warp) sum += table[warp * kBins + bin];
    partial[blockIdx.x * kBins + bin] = sum;
  }
}

extern "C" __global__ void histogram256_merge(unsigned* histogram, const unsigned* partial,
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
