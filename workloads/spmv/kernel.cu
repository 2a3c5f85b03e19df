// y = A * x for a sparse matrix in compressed rows (CSR), one row per thread. Which elements of x a
// thread block reads is known only from the matrix: the index of that load comes from memory.
extern "C" __global__ void spmv(const int* row_start, const int* column, const float* value,
                                const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
