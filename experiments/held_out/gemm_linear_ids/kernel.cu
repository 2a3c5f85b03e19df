// C = A * B by tiles of 32 x 32 in a grid of one dimension, as Triton's programs number their
// tiles: row = id / tiles, column = id % tiles. TBs in a row of tiles share rows of A, TBs that are
// a whole number of rows apart share columns of B.
constexpr int kTile = 32;
constexpr int kDepth = 16;
constexpr int kSide = 16;

extern "C" __global__ void __launch_bounds__(kSide* kSide)
    gemm_linear_ids(const float* a, const float* b, float* c, int columns, int depth) {
  __shared__ float left[kTile][kDepth + 1];
  __shared__ float right[kDepth][kTile];
  const int tiles = columns / kTile;
  const int row = static_cast<int>(blockIdx.x) / tiles * kTile;
  const int column = static_cast<int>(blockIdx.x) % tiles * kTile;
  const int x = threadIdx.x % kSide;
  const int y = threadIdx.x / kSide;
  float sum[2][2] = {};
  for (int first = 0; first < depth; first += kDepth) {
    left[y][x] = a[(row + y) * depth + first + x];
    left[y + kSide][x] = a[(row + y + kSide) * depth + first + x];
    right[y][x] = b[(first + y) * columns + column + x];
    right[y][x + kSide] = b[(first + y) * columns + column + x + kSide];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      sum[0][0] += left[y][i] * right[i][x];
      sum[0][1] += left[y][i] * right[i][x + kSide];
      sum[1][0] += left[y + kSide][i] * right[i][x];
      sum[1][1] += left[y + kSide][i] * right[i][x + kSide];
    }
    __syncthreads();
  }
  float* own_c = c + (row + y) * columns + column + x;
  own_c[0] = sum[0][0];
  own_c[kSide] = sum[0][1];
  own_c[kSide * columns] = sum[1][0];
  own_c[kSide * columns + kSide] = sum[1][1];
}
