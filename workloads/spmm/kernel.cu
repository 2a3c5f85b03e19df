// C = A * B for a sparse A in compressed rows (CSR) and a dense B: a warp has one row of A and 32
// columns of B. Which rows of B it reads is known only from the matrix.
extern "C" __global__ void spmm(const int* row_start, const int* column, const float* value,
                                const float* b, float* c, int rows, int columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int at = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += value[k] * b[column[k] * columns + at];
  c[row * columns + at] = sum;
}
