// Volume rendering: a ray a pixel, in perspective from before the volume, which adds up what the
// nearest samples let through and ends where little is left. A TB has 8 x 8 rays. TBs beside each
// other share lines of the volume along the whole way, ever more of them toward the front.
extern "C" __global__ void ray_march(const float* volume, float* image, int width, int size,
                                     float spread) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const float middle = 0.5F * static_cast<float>(size);
  const float across = (static_cast<float>(x) + 0.5F) / static_cast<float>(width) - 0.5F;
  const float down = (static_cast<float>(y) + 0.5F) / static_cast<float>(width) - 0.5F;
  float light = 0;
  float left = 1;
  for (int z = 0; z < size && left > 0.02F; ++z) {
    const float reach = spread * (static_cast<float>(size) + static_cast<float>(z));
    const int at_x = static_cast<int>(middle + across * reach);
    const int at_y = static_cast<int>(middle + down * reach);
    if (at_x < 0 || at_y < 0 || at_x >= size || at_y >= size) break;
    const float density = volume[(z * size + at_y) * size + at_x];
    const float stopped = left * density;
    light += stopped * (1.0F - static_cast<float>(z) / static_cast<float>(size));
    left -= stopped;
  }
  image[y * width + x] = light;
}
