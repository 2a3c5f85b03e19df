// Jacobi relaxation of a line in two kernels: one writes the mean of each inner cell and its two
// neighbours to a second line, the other copies the inner cells back. Neighbouring thread blocks
// share one cell on each side.
extern "C" __global__ void jacobi1d_relax(const float* now, float* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) next[i] = (now[i - 1] + now[i] + now[i + 1]) * 0.33333333F;
}

extern "C" __global__ void jacobi1d_copy(float* now, const float* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) now[i] = next[i];
}
