// Fast Walsh transform of a power of two of elements, in place and in Hadamard's order. While the
// arrays are large, a launch does two steps on them in global memory, four elements a thread, and
// leaves four times as many arrays of a quarter the size; arrays that fit are then transformed in
// shared memory, one per thread block.
extern "C" __global__ void fwt_quarters(float* data, int quarter) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int size = blockDim.x * gridDim.x * 4;
  data += static_cast<size_t>(blockIdx.y) * size;

  // Four elements `quarter` apart: within an array of 4 * `quarter`.
  const int low = thread & (quarter - 1);
  const int i0 = (thread - low) * 4 + low;
  const int i1 = i0 + quarter;
  const int i2 = i1 + quarter;
  const int i3 = i2 + quarter;
  const float d0 = data[i0];
  const float d1 = data[i1];
  const float d2 = data[i2];
  const float d3 = data[i3];
  data[i0] = (d0 + d2) + (d1 + d3);
  data[i1] = (d0 + d2) - (d1 + d3);
  data[i2] = (d0 - d2) + (d1 - d3);
  data[i3] = (d0 - d2) - (d1 - d3);
}

extern __shared__ float array[];

extern "C" __global__ void fwt_shared(float* data, int log2_size) {
  const int size = 1 << log2_size;
  data += static_cast<size_t>(blockIdx.x) * size;
  const int thread = threadIdx.x;
  for (int i = thread; i < size; i += blockDim.x) array[i] = data[i];

  int quarter = size / 4;
  for (; quarter > 0; quarter /= 4) {
    const int low = thread & (quarter - 1);
    const int i0 = (thread - low) * 4 + low;
    const int i1 = i0 + quarter;
    const int i2 = i1 + quarter;
    const int i3 = i2 + quarter;
    __syncthreads();
    const float d0 = array[i0];
    const float d1 = array[i1];
    const float d2 = array[i2];
    const float d3 = array[i3];
    array[i0] = (d0 + d2) + (d1 + d3);
    array[i1] = (d0 + d2) - (d1 + d3);
    array[i2] = (d0 - d2) + (d1 - d3);
    array[i3] = (d0 - d2) - (d1 - d3);
  }
  // One step is left where the size is an odd power of two.
  if ((log2_size & 1) != 0) {
    __syncthreads();
    for (int i = thread; i < size / 2; i += blockDim.x) {
      const float d0 = array[2 * i];
      const float d1 = array[2 * i + 1];
      array[2 * i] = d0 + d1;
      array[2 * i + 1] = d0 - d1;
    }
  }
  __syncthreads();
  for (int i = thread; i < size; i += blockDim.x) data[i] = array[i];
}
