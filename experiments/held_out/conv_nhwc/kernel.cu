// Convolution 3 x 3 over all channels, channels side by side in memory (NHWC), as a product over
// window places and input channels: a warp has 32 output channels of four pixels in a row, a TB
// four rows. TBs in x share pixels and have other weights, TBs in y and z share weights and
// borders.
constexpr int kPixels = 4;
constexpr int kRows = 4;

extern "C" __global__ void __launch_bounds__(32 * kRows)
    conv_nhwc(const float* in, const float* weight, float* out, int width, int in_channels,
              int out_channels) {
  const int channel = blockIdx.x * 32 + threadIdx.x;
  const int x = blockIdx.y * kPixels;
  const int y = blockIdx.z * kRows + threadIdx.y;
  // The input has a border of one pixel on each side.
  const int row = (width + 2) * in_channels;
  float sum[kPixels] = {};
  for (int place = 0; place < 9; ++place) {
    const float* pixel = in + (y + place / 3) * row + (x + place % 3) * in_channels;
    const float* own = weight + place * in_channels * out_channels + channel;
    for (int i = 0; i < in_channels; ++i) {
      const float factor = own[i * out_channels];
#pragma unroll
      for (int p = 0; p < kPixels; ++p) sum[p] += factor * pixel[p * in_channels + i];
    }
  }
#pragma unroll
  for (int p = 0; p < kPixels; ++p) {
    out[(y * width + x + p) * out_channels + channel] = sum[p];
  }
}
