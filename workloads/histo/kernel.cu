// Histogram of an image of bin numbers whose counts stop at 255, in four kernels: find the range of
// the bins that occur, split each bin number in two, count one range of bins per thread block in
// shared memory, and cut the counts to bytes.
constexpr int kPrescanThreads = 512;
constexpr unsigned kRange = 6144;  // bins that a block counts: 24 KB of shared memory

// bounds[0] = least bin, bounds[1] = greatest.
extern "C" __global__ void histo_prescan(const unsigned* image, int count, unsigned* bounds) {
  __shared__ unsigned least[kPrescanThreads];
  __shared__ unsigned greatest[kPrescanThreads];
  const int thread = threadIdx.x;
  unsigned low = 0xffffffff;
  unsigned high = 0;
  for (int i = blockIdx.x * blockDim.x + thread; i < count; i += gridDim.x * blockDim.x) {
    const unsigned bin = image[i];
    low = min(low, bin);
    high = max(high, bin);
  }
  least[thread] = low;
  greatest[thread] = high;
  for (int half = kPrescanThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      least[thread] = min(least[thread], least[thread + half]);
      greatest[thread] = max(greatest[thread], greatest[thread + half]);
    }
  }
  if (thread == 0) {
    atomicMin(&bounds[0], least[0]);
    atomicMax(&bounds[1], greatest[0]);
  }
}

// A bin number as its range in the upper half and its place in the range in the lower.
__device__ static unsigned Split(unsigned bin) { return bin / kRange << 16 | bin % kRange; }

// A block does 16 rows of the image, 2 * `half_width` bins long; a thread two columns of them.
extern "C" __global__ void histo_intermediates(const uint2* image, uint2* intermediates,
                                               int half_width) {
  const int column = blockIdx.y * blockDim.x + threadIdx.x;
  if (column >= half_width) return;
  const int first = blockIdx.x * 16 * half_width + column;
#pragma unroll
  for (int row = 0; row < 16; ++row) {
    const uint2 bins = image[first + row * half_width];
    intermediates[first + row * half_width] = make_uint2(Split(bins.x), Split(bins.y));
  }
}

// Block (x, y) counts range y of the bins in every gridDim.x-th stretch of the image.
extern "C" __global__ void histo_main(const unsigned* intermediates, int count,
                                      const unsigned* bounds, unsigned* histogram) {
  __shared__ unsigned counts[kRange];
  const unsigned range = blockIdx.y;
  if (range < bounds[0] / kRange || range > bounds[1] / kRange) return;
  for (unsigned i = threadIdx.x; i < kRange; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned bin = intermediates[i];
    if (bin >> 16 == range) atomicAdd(&counts[bin & 0xffff], 1U);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kRange; i += blockDim.x) {
    if (counts[i] != 0) atomicAdd(&histogram[range * kRange + i], counts[i]);
  }
}

extern "C" __global__ void histo_final(const uint4* histogram, uchar4* result, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint4 four = histogram[i];
    uchar4 bytes;
    bytes.x = static_cast<unsigned char>(min(four.x, 255U));
    bytes.y = static_cast<unsigned char>(min(four.y, 255U));
    bytes.z = static_cast<unsigned char>(min(four.z, 255U));
    bytes.w = static_cast<unsigned char>(min(four.w, 255U));
    result[i] = bytes;
  }
}
