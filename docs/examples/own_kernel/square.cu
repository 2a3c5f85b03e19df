// The square of a matrix: TBs of a row share its elements, and so do TBs of a column.
extern "C" __global__ void square(const float* matrix, float* out, int n) {
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += matrix[row * n + i] * matrix[i * n + column];
  out[row * n + column] = sum;
}
