// C = alpha * (A * B^T + B * A^T) + beta * C for row-major n x m matrices A and B, one element of C
// per thread. A thread reads rows i and j of both, so a thread block shares rows with its grid row
// and its grid column.
extern "C" __global__ void syr2k(const float* a, const float* b, float* c, float alpha, float beta,
                                 int n, int m) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) {
    sum += a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k];
  }
  c[i * n + j] = alpha * sum + beta * c[i * n + j];
}
