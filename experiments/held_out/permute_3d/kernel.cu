// out[x][z][y] = in[z][y][x] by tiles of 32 x 32 over x and y through shared memory, a plane z
// each. No two TBs share data. Those beside each other in x read the same rows of DRAM, and those
// beside each other in y and z write them.
constexpr int kTile = 32;
constexpr int kStep = 8;

extern "C" __global__ void __launch_bounds__(kTile* kStep)
    permute_3d(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int x0 = blockIdx.x * kTile;
  const int y0 = blockIdx.y * kTile;
  const int z = blockIdx.z;
  const int lane = threadIdx.x;
#pragma unroll
  for (int i = 0; i < kTile; i += kStep) {
    const int y = threadIdx.y + i;
    tile[y][lane] = in[(z * height + y0 + y) * width + x0 + lane];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTile; i += kStep) {
    const int x = threadIdx.y + i;
    out[((x0 + x) * gridDim.z + z) * height + y0 + lane] = tile[lane][x];
  }
}
