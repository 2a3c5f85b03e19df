// Transposes a matrix in tiles of 32 x 32, each by a block of 32 x 16 threads: straight, so that
// the threads of a warp write to 32 lines, and through shared memory, so that they read and write
// whole lines. The grid covers the matrix exactly.
constexpr int kTile = 32;
constexpr int kRows = 16;

extern "C" __global__ void transpose_naive(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    out[x * height + y + j] = in[(y + j) * width + x];
  }
}

extern "C" __global__ void transpose_coalesced(const float* in, float* out, int width,
                                               int height) {
  __shared__ float tile[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  const int column = blockIdx.y * kTile + threadIdx.x;
  const int row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
