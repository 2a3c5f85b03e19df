// Marks the pixels that none of their eight neighbours exceeds. The image has a border of a pixel.
extern "C" __global__ void imregionmax(const float* image, float* peak, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int pitch = width + 2;
  const float* corner = image + y * pitch + x;
  float highest = corner[0];
#pragma unroll
  for (int i = 1; i < 9; ++i) {
    if (i != 4) highest = fmaxf(highest, corner[i / 3 * pitch + i % 3]);
  }
  peak[y * width + x] = corner[pitch + 1] >= highest ? 1.0F : 0.0F;
}
