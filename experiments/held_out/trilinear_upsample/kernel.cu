// A volume made finer by linear interpolation along three axes, `scale` input points per output
// point. A TB has 32 x 4 outputs of one plane; TBs share the input around their borders, and planes
// beside each other lie mostly between the same two planes of the input.
extern "C" __global__ void trilinear_upsample(const float* in, float* out, int in_size,
                                              int out_size, float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  const float at_x = static_cast<float>(x) * scale;
  const float at_y = static_cast<float>(y) * scale;
  const float at_z = static_cast<float>(z) * scale;
  const int x0 = static_cast<int>(at_x);
  const int y0 = static_cast<int>(at_y);
  const int z0 = static_cast<int>(at_z);
  const float right = at_x - static_cast<float>(x0);
  const float down = at_y - static_cast<float>(y0);
  const float back = at_z - static_cast<float>(z0);
  const int to_right = x0 + 1 < in_size ? 1 : 0;
  const int to_below = y0 + 1 < in_size ? in_size : 0;
  const int to_back = z0 + 1 < in_size ? in_size * in_size : 0;
  const float* corner = in + (z0 * in_size + y0) * in_size + x0;
  float plane[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float* at = corner + i * to_back;
    const float top = at[0] + right * (at[to_right] - at[0]);
    const float low = at[to_below] + right * (at[to_below + to_right] - at[to_below]);
    plane[i] = top + down * (low - top);
  }
  out[(z * out_size + y) * out_size + x] = plane[0] + back * (plane[1] - plane[0]);
}
