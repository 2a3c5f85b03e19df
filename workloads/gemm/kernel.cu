// C = alpha * A * B + beta * C, an element of C per thread; the sum grows in memory, not in a
// register: C is stored after every product, as A or B might be the same memory.
extern "C" __global__ void gemm(const float* a, const float* b, float* c, float alpha, float beta,
                                int rows, int columns, int inner) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= rows || j >= columns) return;
  float* sum = c + i * columns + j;
  *sum *= beta;
  for (int k = 0; k < inner; ++k) *sum += alpha * a[i * inner + k] * b[k * columns + j];
}
