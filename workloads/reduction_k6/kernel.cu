// Sum of an array: every thread adds two elements a turn on its way through the array in strides of
// the whole grid; a thread block adds its threads' sums in shared memory, the last 32 in a warp.
// The second launch adds the blocks' sums with the same kernel.
constexpr unsigned kThreads = 256;

extern "C" __global__ void reduction_k6(const float* in, float* out, unsigned count) {
  __shared__ float sums[kThreads];
  const unsigned thread = threadIdx.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * kThreads * 2 + thread; i < count; i += kThreads * 2 * gridDim.x) {
    sum += in[i];
    if (i + kThreads < count) sum += in[i + kThreads];
  }
  sums[thread] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned half = kThreads / 2; half >= 64; half /= 2) {
    if (thread < half) sums[thread] = sum = sum + sums[thread + half];
    __syncthreads();
  }
  if (thread >= 32) return;
  sum += sums[thread + 32];
#pragma unroll
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffff, sum, half);
  if (thread == 0) out[blockIdx.x] = sum;
}
