// The update of a Cholesky factorisation, C -= P * P^T, of the tiles on and below the diagonal
// alone: a grid of one dimension counts them row by row. A TB reads two strips of 32 rows of P; TBs
// of one row of tiles share the one, TBs of one column the other, and rows grow longer.
constexpr int kTile = 32;
constexpr int kStep = 8;
constexpr int kDepth = 32;

extern "C" __global__ void __launch_bounds__(kTile* kStep)
    cholesky_update(const float* panel, float* c, int size, int depth) {
  __shared__ float above[kTile][kDepth + 1];
  __shared__ float beside[kTile][kDepth + 1];
  int tile_row = 0;
  int tile_column = blockIdx.x;
  while (tile_column > tile_row) {
    ++tile_row;
    tile_column -= tile_row;
  }
  const int x = threadIdx.x;
  float sum[kTile / kStep] = {};
  for (int first = 0; first < depth; first += kDepth) {
    for (int y = threadIdx.y; y < kTile; y += kStep) {
      above[y][x] = panel[(tile_column * kTile + y) * depth + first + x];
      beside[y][x] = panel[(tile_row * kTile + y) * depth + first + x];
    }
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < kDepth; ++i) {
      const float value = above[x][i];
#pragma unroll
      for (int y = 0; y < kTile / kStep; ++y) sum[y] += beside[threadIdx.y + y * kStep][i] * value;
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < kTile / kStep; ++y) {
    c[(tile_row * kTile + threadIdx.y + y * kStep) * size + tile_column * kTile + x] -= sum[y];
  }
}
