// C = A * B for a sparse A in compressed rows (CSR) and a dense B of 64 columns, in a grid of one
// dimension: a warp has a row of A and two columns a lane. A's elements lie near the diagonal, so
// that TBs beside each other read the same rows of B; ../spmm_random has them anywhere.
constexpr int kRows = 4;

extern "C" __global__ void __launch_bounds__(32 * kRows)
    spmm_csr(const int* row_start, const int* column, const float* value, const float2* b,
             float2* c, int rows) {
  const int row = blockIdx.x * kRows + threadIdx.y;
  if (row >= rows) return;
  float2 sum = {0, 0};
  const int end = row_start[row + 1];
  for (int at = row_start[row]; at < end; ++at) {
    const float factor = value[at];
    const float2 from = b[column[at] * 32 + threadIdx.x];
    sum.x += factor * from.x;
    sum.y += factor * from.y;
  }
  c[row * 32 + threadIdx.x] = sum;
}
