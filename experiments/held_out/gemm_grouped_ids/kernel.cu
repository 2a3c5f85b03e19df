// C = A * B with ids in bands: kBand rows of tiles are gone through column by column before the
// next band begins, as in Triton's tutorial on matrix products. A TB has 8 rows and 64 columns and
// reads both matrices through the L1. TBs of a band share few rows of A and, in turn, columns of B.
constexpr int kBand = 4;
constexpr int kRows = 8;
constexpr int kColumns = 64;

extern "C" __global__ void __launch_bounds__(kColumns)
    gemm_grouped_ids(const float* a, const float* b, float* c, int rows, int columns, int depth) {
  const int tiles_down = rows / kRows;
  const int in_band = kBand * (columns / kColumns);
  const int first_row = static_cast<int>(blockIdx.x) / in_band * kBand;
  const int band = min(tiles_down - first_row, kBand);
  const int within = static_cast<int>(blockIdx.x) % in_band;
  const int row = (first_row + within % band) * kRows;
  const int column = within / band * kColumns + threadIdx.x;
  float sum[kRows] = {};
  for (int i = 0; i < depth; ++i) {
    const float right = b[i * columns + column];
#pragma unroll
    for (int y = 0; y < kRows; ++y) sum[y] += a[(row + y) * depth + i] * right;
  }
#pragma unroll
  for (int y = 0; y < kRows; ++y) c[(row + y) * columns + column] = sum[y];
}
