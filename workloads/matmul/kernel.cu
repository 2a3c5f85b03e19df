// C = A * B for n x n row-major matrices, one element of C per thread, no shared memory: the rows
// of A and columns of B that thread blocks have in common are found again in the caches, or not.
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
