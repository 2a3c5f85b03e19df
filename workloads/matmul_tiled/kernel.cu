// C = A * B for row-major matrices whose sizes are multiples of 16, a tile of 16 x 16 elements of C
// per thread block: the block brings one tile of A and one of B at a time to shared memory.
constexpr int kTile = 16;

extern "C" __global__ void matmul_tiled(float* c, const float* a, const float* b, int a_width,
                                        int b_width) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int first = 0; first < a_width; first += kTile) {
    a_tile[ty][tx] = a[row * a_width + first + tx];
    b_tile[ty][tx] = b[(first + ty) * b_width + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  c[row * b_width + column] = sum;
}
