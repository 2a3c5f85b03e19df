// y = L x with a lower triangular n x n matrix L, one row per thread: later rows take longer, so that
// the SM with the early rows runs out of work first.
extern "C" __global__ void trmv(const float* l, const float* x, float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int column = 0; column <= row; ++column) sum += l[column * n + row] * x[column];
  y[row] = sum;
}
