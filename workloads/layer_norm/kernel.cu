// Layer norm: a block of 128 threads has one row. Two sums go through shared memory.
constexpr int kThreads = 128;

__device__ static inline float SumOfBlock(float own, float* parts) {
  parts[threadIdx.x] = own;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  const float sum = parts[0];
  __syncthreads();
  return sum;
}

extern "C" __global__ void layer_norm(const float* in, const float* scale, const float* shift,
                                      float* out, int columns) {
  __shared__ float parts[kThreads];
  const float* row = in + blockIdx.x * columns;
  float own = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) own += row[i];
  const float mean = SumOfBlock(own, parts) / columns;
  own = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) own += (row[i] - mean) * (row[i] - mean);
  const float factor = 1.0F / sqrtf(SumOfBlock(own, parts) / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    out[blockIdx.x * columns + i] = (row[i] - mean) * factor * scale[i] + shift[i];
  }
}
