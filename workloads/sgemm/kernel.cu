// C = A * B in tiles through shared memory, an element of C per thread. A thread block computes
// kRows x kWidth elements; it goes along a row of tiles of A and down a column of tiles of B,
// kWidth elements of the inner extent at a time. The grid covers C exactly, and the inner extent is
// a multiple of kWidth.
template <int kWidth, int kRows>
__device__ static void Multiply(const float* a, const float* b, float* c, int columns, int inner) {
  __shared__ float a_tile[kRows][kWidth];
  __shared__ float b_tile[kWidth][kWidth];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kWidth + tx;
  const int row = blockIdx.y * kRows + ty;
  float sum = 0;
  for (int m = 0; m < inner / kWidth; ++m) {
    a_tile[ty][tx] = a[row * inner + m * kWidth + tx];
#pragma unroll
    for (int j = 0; j < kWidth; j += kRows) {
      b_tile[ty + j][tx] = b[(m * kWidth + ty + j) * columns + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kWidth; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

extern "C" __global__ void sgemm_16x16(const float* a, const float* b, float* c, int columns,
                                       int inner) {
  Multiply<16, 16>(a, b, c, columns, inner);
}

extern "C" __global__ void sgemm_32x4(const float* a, const float* b, float* c, int columns,
                                      int inner) {
  Multiply<32, 4>(a, b, c, columns, inner);
}
