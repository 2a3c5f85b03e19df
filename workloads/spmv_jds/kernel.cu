// y = A * x for a sparse matrix in jagged diagonals (JDS), one row per thread. Rows are in the order
// of falling length; the k-th elements of neighbouring rows lie side by side, so that a warp reads
// them together, and a warp's rows are padded to one length. Where the diagonals start and how long
// each warp's rows are stands in constant memory.
__constant__ int diagonal_start[1024];
__constant__ int group_length[8192];

extern "C" __global__ void spmv_jds(const int* column, const float* value, const int* permutation,
                                    const float* x, float* y, int rows) {
  const int position = blockIdx.x * blockDim.x + threadIdx.x;
  if (position >= rows) return;
  float sum = 0;
  const int length = group_length[position / 32];
  for (int k = 0; k < length; ++k) {
    const int element = diagonal_start[k] + position;
    sum += value[element] * x[column[element]];
  }
  y[permutation[position]] = sum;
}
