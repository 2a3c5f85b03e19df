// A filter that smooths and keeps edges: the mean of 5 x 5 pixels with weights that fall with the
// distance in place and in value. A pixel a thread, tiles of 16 x 16; TBs share the two rows and
// columns along their borders.
constexpr int kReach = 2;

extern "C" __global__ void bilateral_filter(const float* in, float* out, int width, int height,
                                            float by_place, float by_value) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const float here = in[y * width + x];
  float sum = 0;
  float total = 0;
  for (int dy = -kReach; dy <= kReach; ++dy) {
    const int row = min(max(y + dy, 0), height - 1) * width;
#pragma unroll
    for (int dx = -kReach; dx <= kReach; ++dx) {
      const float there = in[row + min(max(x + dx, 0), width - 1)];
      const float step = there - here;
      const float place = static_cast<float>(dx * dx + dy * dy);
      const float weight = __expf(-place * by_place - step * step * by_value);
      sum += weight * there;
      total += weight;
    }
  }
  out[y * width + x] = sum / total;
}
