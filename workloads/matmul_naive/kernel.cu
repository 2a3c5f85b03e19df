// C = A * B, one element of C per thread, straight from the definition: A has `inner` columns, B
// `inner` rows, and B and C are `width` wide. The grid covers C exactly: there is no guard.
extern "C" __global__ void matmul_naive(const float* a, const float* b, float* c, int width,
                                        int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * width + column];
  c[row * width + column] = sum;
}
