// Exclusive prefix sums of arrays of 32-bit integers, in three kernels: each thread block scans
// 1,024 elements, four a thread; the totals of an array's blocks are scanned; and each block's
// elements are raised by the sum of the blocks before it.
constexpr unsigned kThreads = 256;

// Inclusive sums over segments of `size` threads, by doubling distances (Hillis and Steele). The
// first `size` words of a segment stay zero, so that no thread asks whether it has a left
// neighbour.
__device__ static unsigned InclusiveScan(unsigned value, volatile unsigned* shared, unsigned size) {
  unsigned at = 2 * threadIdx.x - (threadIdx.x & (size - 1));
  shared[at] = 0;
  at += size;
  shared[at] = value;
  for (unsigned distance = 1; distance < size; distance *= 2) {
    __syncthreads();
    const unsigned sum = shared[at] + shared[at - distance];
    __syncthreads();
    shared[at] = sum;
  }
  return shared[at];
}

// Each run of `size` * 4 elements is scanned on its own.
extern "C" __global__ void scan_blocks(uint4* result, const uint4* source, unsigned size) {
  __shared__ unsigned shared[2 * kThreads];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = source[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const unsigned before = InclusiveScan(v.w, shared, size) - v.w;
  result[i] = make_uint4(before, v.x + before, v.y + before, v.z + before);
}

// The blocks' totals (their last result plus their last element), scanned in runs of `size`.
extern "C" __global__ void scan_totals(unsigned* totals, const unsigned* result,
                                       const unsigned* source, unsigned count, unsigned size) {
  __shared__ unsigned shared[2 * kThreads];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned total = 0;
  if (i < count) {
    const unsigned last = 4 * kThreads * i + 4 * kThreads - 1;
    total = result[last] + source[last];
  }
  const unsigned before = InclusiveScan(total, shared, size) - total;
  if (i < count) totals[i] = before;
}

extern "C" __global__ void scan_update(uint4* result, const unsigned* totals) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) before = totals[blockIdx.x];
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = result[i];
  v.x += before;
  v.y += before;
  v.z += before;
  v.w += before;
  result[i] = v;
}
