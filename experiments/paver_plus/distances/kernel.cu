// Squared distances between all points of two sets, an element of D per thread; a point's
// coordinates lie side by side, so that the lanes of a warp read lines of their own.
extern "C" __global__ void distances(const float* a, const float* b, float* d, int points,
                                     int dimensions) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= points || column >= points) return;
  float sum = 0;
  for (int k = 0; k < dimensions; ++k) {
    const float difference = a[row * dimensions + k] - b[column * dimensions + k];
    sum += difference * difference;
  }
  d[row * points + column] = sum;
}
