// What Triton's matmul tutorial makes of its ids: tiles of 16 x 16 in groups of 8 rows of tiles.
extern "C" __global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n,
                                         int k) {
  const int rows = m / 16, columns = n / 16, id = blockIdx.x, in_group = 8 * columns;
  const int first = id / in_group * 8, here = min(rows - first, 8);
  const int tile_row = first + id % in_group % here, tile_column = id % in_group / here;
  const int row = tile_row * 16 + threadIdx.x / 16, column = tile_column * 16 + threadIdx.x % 16;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
