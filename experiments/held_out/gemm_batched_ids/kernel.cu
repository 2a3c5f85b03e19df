// Many small products C = A * B in a grid of one dimension: id / tiles is the product, id % tiles
// the tile of 16 x 32 in it. TBs of one product share its rows and columns, TBs of others nothing.
constexpr int kRows = 16;
constexpr int kColumns = 32;
constexpr int kStep = 4;

extern "C" __global__ void __launch_bounds__(kColumns* kStep)
    gemm_batched_ids(const float* a, const float* b, float* c, int rows, int columns, int depth) {
  const int across = columns / kColumns;
  const int tiles = across * (rows / kRows);
  const int product = static_cast<int>(blockIdx.x) / tiles;
  const int tile = static_cast<int>(blockIdx.x) % tiles;
  const int column = tile % across * kColumns + threadIdx.x;
  const int row = tile / across * kRows + threadIdx.y;
  const float* left = a + product * rows * depth + row * depth;
  const float* right = b + product * depth * columns + column;
  float sum[kRows / kStep] = {};
  for (int i = 0; i < depth; ++i) {
    const float value = right[i * columns];
#pragma unroll
    for (int y = 0; y < kRows / kStep; ++y) sum[y] += left[y * kStep * depth + i] * value;
  }
  float* own_c = c + product * rows * columns + row * columns + column;
#pragma unroll
  for (int y = 0; y < kRows / kStep; ++y) own_c[y * kStep * columns] = sum[y];
}
