// Two-dimensional convolution straight from the definition: every thread sums the window of the
// image that starts at its pixel, weighted. The image is as much larger than the result as the
// window is wide and high, so that nothing is guarded.
extern "C" __global__ void conv(const float* image, const float* weights, float* result, int width,
                                int pitch, int window_width, int window_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < window_height; ++j) {
    for (int i = 0; i < window_width; ++i) {
      sum += image[(y + j) * pitch + x + i] * weights[j * window_width + i];
    }
  }
  result[y * width + x] = sum;
}
