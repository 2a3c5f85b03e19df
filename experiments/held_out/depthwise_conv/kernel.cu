// Convolution of each channel with its own 3 x 3 window, channels side by side in memory (NHWC): a
// warp has 32 channels of a column of kRows pixels, a TB four columns. TBs beside each other in y
// and z share pixels of their borders; TBs of the same channels share windows.
constexpr int kRows = 4;
constexpr int kColumns = 4;

extern "C" __global__ void __launch_bounds__(32 * kColumns)
    depthwise_conv(const float* in, const float* window, float* out, int width, int channels) {
  const int channel = blockIdx.x * 32 + threadIdx.x;
  const int x = blockIdx.y * kColumns + threadIdx.y;
  const int first = blockIdx.z * kRows;
  // The input has a border of one pixel on each side.
  const int row = (width + 2) * channels;
  float sum[kRows] = {};
#pragma unroll
  for (int dx = 0; dx < 3; ++dx) {
    float weight[3];
#pragma unroll
    for (int dy = 0; dy < 3; ++dy) weight[dy] = window[(dy * 3 + dx) * channels + channel];
#pragma unroll
    for (int y = 0; y < kRows + 2; ++y) {
      const float value = in[(first + y) * row + (x + dx) * channels + channel];
#pragma unroll
      for (int dy = 0; dy < 3; ++dy) {
        if (y - dy >= 0 && y - dy < kRows) sum[y - dy] += weight[dy] * value;
      }
    }
  }
#pragma unroll
  for (int y = 0; y < kRows; ++y) out[((first + y) * width + x) * channels + channel] = sum[y];
}
