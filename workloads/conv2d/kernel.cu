// Convolution of a square image with a fixed 3 x 3 window, a pixel per thread; the border stays as
// it is.
extern "C" __global__ void conv2d(const float* in, float* out, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= size - 1 || y < 1 || y >= size - 1) return;
  const float* above = in + (y - 1) * size + x;
  const float* here = in + y * size + x;
  const float* below = in + (y + 1) * size + x;
  out[y * size + x] = 0.2F * above[-1] - 0.3F * above[0] + 0.4F * above[1] +  //
                      0.5F * here[-1] + 0.6F * here[0] + 0.7F * here[1] -     //
                      0.8F * below[-1] - 0.9F * below[0] + 0.1F * below[1];
}
