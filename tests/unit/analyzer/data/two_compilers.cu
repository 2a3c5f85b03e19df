// Kernels whose analysis must not hang on the compiler: one for each way in which clang and nvcc, or
// two levels of one of them, write an index differently. All have the same parameters, so that one
// launch fits all: a, b of n x m elements, out.
#define KERNEL(name)                                                                             \
  extern "C" __global__ void name(const float *__restrict__ a, const float *__restrict__ b,      \
                                  float *__restrict__ out, int n, int m, int k, int p)

// Loops over rows: symbolic, numeric, mixed and negative strides, in both orders.
KERNEL(column_sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[r * n + i];
  out[i] = s;
}
KERNEL(column_sums_wide) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (long long r = 0; r < m; ++r) s += a[r * n + i];
  out[i] = s;
}
KERNEL(column_sums_unsigned) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (unsigned r = 0; r < unsigned(m); ++r) s += a[r * unsigned(n) + i];
  out[i] = s;
}
KERNEL(column_sums_number) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[r * 8192 + i];
  out[i] = s;
}
KERNEL(column_sums_mixed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m - 1; ++r) s += a[r * (n + 16) + i];
  out[i] = s;
}
KERNEL(column_sums_down) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = m - 1; r >= 0; --r) s += a[r * n + i];
  out[i] = s;
}
KERNEL(column_sums_pointer) {
  const float *at = a + blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m; ++r, at += n) s += *at;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
KERNEL(column_sums_constant_trips) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < 8; ++r) s += a[r * n + i];
  out[i] = s;
}
KERNEL(column_sums_four_rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) s += a[r * (m / 4) * n + i];
  out[i] = s;
}
KERNEL(nest_of_planes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int z = 0; z < 4; ++z)
    for (int r = 0; r < m / 4; ++r) s += a[(z * (m / 4) + r) * n + i];
  out[i] = s;
}
KERNEL(two_rows_a_turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r + 1 < m; ++r) s += a[r * n + i] * a[(r + 1) * n + i];
  out[i] = s;
}
KERNEL(grid_stride) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m; i += blockDim.x * gridDim.x) s += a[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
KERNEL(grid_stride_wide) {
  float s = 0;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (long long)n * m;
       i += (long long)blockDim.x * gridDim.x)
    s += a[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
KERNEL(row_of_a_thread) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < m; ++j) s += a[i * m + j];
  out[i] = s;
}
KERNEL(chunk_of_a_tb) {
  float s = 0;
  for (int j = 0; j < m; ++j) s += a[(blockIdx.x * m + j) * blockDim.x + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// Warps and lanes: quotients and remainders by a power of two.
KERNEL(warp_per_row) {
  int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  float s = 0;
  for (int j = lane; j < m; j += 32) s += a[row * m + j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
KERNEL(warp_per_row_signed) {
  int t = threadIdx.x, lane = t % 32, row = (int(blockIdx.x) * int(blockDim.x) + t) / 32;
  float s = 0;
  for (int j = lane; j < m; j += 32) s += a[row * m + j];
  out[blockIdx.x * blockDim.x + t] = s;
}
// Quotients by other numbers, and by parameters.
KERNEL(thirds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, c = i % 3, q = i / 3;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[r * n + q * 3 + c];
  out[i] = s;
}
KERNEL(by_parameter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % k, y = i / k;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[r * n + y * k + x];
  out[i] = s;
}
KERNEL(fours_of_planes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % n, y = i / n, q = m >> 2;
  float s = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) s += a[(y + r * q) * n + x];
  out[i] = s;
}
KERNEL(heads) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, h = blockIdx.y, g = h * k / p;
  float s = 0;
  int first = blockIdx.x * 64, last = min(first + 64, m);
  for (int r = first + w; r < last; r += 4) {
    long long at = ((long long)g * m + r) * 64;
    s += a[at + lane] * a[at + lane + 32];
  }
  out[(h * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = s;
}
// Elements of vectors, alone and together.
KERNEL(four_elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3];
}
KERNEL(pairs_in_rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m / 2; ++r) s += a[r * 2 * n + 2 * i] + a[r * 2 * n + 2 * i + 1];
  out[i] = s;
}
// Matrices on a grid of two dimensions.
KERNEL(matrix_product) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int j = 0; j < k; ++j) s += a[y * k + j] * b[j * p + x];
  out[y * p + x] = s;
}
KERNEL(matrix_product_transposed) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int j = 0; j < k; ++j) s += a[j * p + y] * b[j * p + x];
  out[y * p + x] = s;
}
KERNEL(tiles) {
  __shared__ float at[16][16], bt[16][16];
  int tx = threadIdx.x % 16, ty = threadIdx.y % 16;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float s = 0;
  for (int t = 0; t < k / 16; ++t) {
    at[ty][tx] = a[y * k + t * 16 + tx];
    bt[ty][tx] = b[(t * 16 + ty) * p + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) s += at[ty][j] * bt[j][tx];
    __syncthreads();
  }
  out[y * p + x] = s;
}
KERNEL(stencil) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= p - 1 || y >= k - 1) return;
  out[y * p + x] = a[y * p + x] + a[y * p + x - 1] + a[y * p + x + 1] + a[(y - 1) * p + x] + a[(y + 1) * p + x];
}
KERNEL(rows_of_the_grid) {
  float s = 0;
  for (int y = blockIdx.y; y < k; y += gridDim.y)
    for (int x = threadIdx.x; x < p; x += blockDim.x) s += a[y * p + x];
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = s;
}
KERNEL(batches) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
  const float *own = a + (long long)z * k * p;
  float s = 0;
  for (int j = 0; j < k; ++j) s += own[j * p + x];
  out[z * p + x] = s;
}
// Words that bits are put together of.
KERNEL(bits_of_an_index) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned low = i & 7u, high = i >> 3;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[unsigned(r) * unsigned(n) + ((high << 3) | low)];
  out[i] = s;
}
KERNEL(last_row_first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < m; ++r) s += a[(m - 1 - r) * n + (n - 1 - i)];
  out[i] = s;
}
// What a load decides.
KERNEL(through_a_table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *table = reinterpret_cast<const int *>(b);
  float s = 0;
  for (int r = 0; r < 8; ++r) s += a[table[r * n + i]];
  out[i] = s;
}
