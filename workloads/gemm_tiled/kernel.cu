// C = A * B as today's libraries do it without tensor cores: a thread block computes 128 x 128
// elements of C, 8 x 8 of them per thread in registers, and goes along the inner extent 8 elements
// at a time through shared memory. Also for each matrix of a batch, and with the inner extent split
// among blocks that leave partial sums. Extents are multiples of the tile's.
constexpr int kTile = 128;
constexpr int kStep = 8;
constexpr int kOwn = 8;  // elements of a thread along each side

// The tile at (row, column) of C, summed over inner elements [first, last).
__device__ static inline void Multiply(const float* a, const float* b, float* c, int columns,
                                       int inner, int first, int last) {
  __shared__ float a_tile[kStep][kTile];
  __shared__ float b_tile[kStep][kTile];
  const int thread = threadIdx.x;
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const int tx = thread % 16;
  const int ty = thread / 16;
  // Each thread brings four elements of A, in a row, and four of B.
  const float* a_from = a + (row + thread / 2) * inner + thread % 2 * 4;
  const float* b_from = b + thread / 32 * columns + column + thread % 32 * 4;
  float sum[kOwn][kOwn] = {};
  for (int k = first; k < last; k += kStep) {
    const float4 from_a = *reinterpret_cast<const float4*>(a_from + k);
    const float4 from_b = *reinterpret_cast<const float4*>(b_from + k * columns);
    a_tile[thread % 2 * 4 + 0][thread / 2] = from_a.x;
    a_tile[thread % 2 * 4 + 1][thread / 2] = from_a.y;
    a_tile[thread % 2 * 4 + 2][thread / 2] = from_a.z;
    a_tile[thread % 2 * 4 + 3][thread / 2] = from_a.w;
    *reinterpret_cast<float4*>(&b_tile[thread / 32][thread % 32 * 4]) = from_b;
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kStep; ++step) {
      float own_a[kOwn], own_b[kOwn];
#pragma unroll
      for (int i = 0; i < kOwn; ++i) own_a[i] = a_tile[step][ty * kOwn + i];
#pragma unroll
      for (int j = 0; j < kOwn; ++j) own_b[j] = b_tile[step][tx + j * 16];
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
#pragma unroll
        for (int j = 0; j < kOwn; ++j) sum[i][j] += own_a[i] * own_b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
      c[(row + ty * kOwn + i) * columns + column + tx + j * 16] = sum[i][j];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
    gemm_tiled(const float* a, const float* b, float* c, int columns, int inner) {
  Multiply(a, b, c, columns, inner, 0, inner);
}

// Matrix blockIdx.z of the batch.
extern "C" __global__ void __launch_bounds__(256)
    gemm_batched(const float* a, const float* b, float* c, int rows, int columns, int inner) {
  const int matrix = blockIdx.z;
  Multiply(a + matrix * rows * inner, b + matrix * inner * columns, c + matrix * rows * columns,
           columns, inner, 0, inner);
}

// Part blockIdx.z of the inner extent, to a matrix of its own.
extern "C" __global__ void __launch_bounds__(256)
    gemm_split_k(const float* a, const float* b, float* parts, int rows, int columns, int inner,
                 int part) {
  const int first = blockIdx.z * part;
  Multiply(a, b, parts + blockIdx.z * rows * columns, columns, inner, first, first + part);
}

// C as the sum of its parts.
extern "C" __global__ void gemm_sum_parts(const float* parts, float* c, int elements, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int part = 0; part < count; ++part) sum += parts[part * elements + at];
  c[at] = sum;
}
