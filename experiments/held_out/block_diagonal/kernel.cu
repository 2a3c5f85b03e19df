// C = A * B for an A of dense blocks of 32 x 32 on the diagonal and beside it, three in a row of
// blocks, and a dense B. A TB has a block's rows and 32 columns. TBs in x share the blocks of A;
// TBs in y share two of their three pieces of B with each neighbour.
constexpr int kBlock = 32;
constexpr int kStep = 4;

extern "C" __global__ void __launch_bounds__(kBlock* kStep)
    block_diagonal(const float* blocks, const float* b, float* c, int block_rows, int columns) {
  const int block_row = blockIdx.y;
  const int column = blockIdx.x * kBlock + threadIdx.x;
  float sum[kBlock / kStep] = {};
  for (int beside = 0; beside < 3; ++beside) {
    const int block_column = block_row + beside - 1;
    if (block_column < 0 || block_column >= block_rows) continue;
    const float* own = blocks + (block_row * 3 + beside) * kBlock * kBlock;
    const float* right = b + block_column * kBlock * columns + column;
    for (int i = 0; i < kBlock; ++i) {
      const float value = right[i * columns];
#pragma unroll
      for (int y = 0; y < kBlock / kStep; ++y) {
        sum[y] += own[(threadIdx.y + y * kStep) * kBlock + i] * value;
      }
    }
  }
#pragma unroll
  for (int y = 0; y < kBlock / kStep; ++y) {
    c[(block_row * kBlock + threadIdx.y + y * kStep) * columns + column] = sum[y];
  }
}
