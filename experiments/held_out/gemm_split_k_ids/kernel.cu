// C += A * B with a long inner dimension that is cut into slices: in a grid of one dimension, id %
// tiles is the tile of C and id / tiles the slice, whose sums are added by atomics. TBs of a slice
// share rows of A and columns of B as in a plain product; TBs of one tile share C alone.
constexpr int kTile = 32;
constexpr int kStep = 8;

extern "C" __global__ void __launch_bounds__(kTile* kStep)
    gemm_split_k_ids(const float* a, const float* b, float* c, int rows, int columns, int depth,
                     int slice_depth) {
  __shared__ float left[kTile][kTile + 1];
  const int across = columns / kTile;
  const int tiles = across * (rows / kTile);
  const int tile = static_cast<int>(blockIdx.x) % tiles;
  const int begin = static_cast<int>(blockIdx.x) / tiles * slice_depth;
  const int row = tile / across * kTile;
  const int x = threadIdx.x;
  const int column = tile % across * kTile + x;
  float sum[kTile / kStep] = {};
  for (int first = begin; first < begin + slice_depth; first += kTile) {
    for (int y = threadIdx.y; y < kTile; y += kStep) left[y][x] = a[(row + y) * depth + first + x];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < kTile; ++i) {
      const float right = b[(first + i) * columns + column];
#pragma unroll
      for (int y = 0; y < kTile / kStep; ++y) sum[y] += left[threadIdx.y + y * kStep][i] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < kTile / kStep; ++y) {
    atomicAdd(&c[(row + threadIdx.y + y * kStep) * columns + column], sum[y]);
  }
}
