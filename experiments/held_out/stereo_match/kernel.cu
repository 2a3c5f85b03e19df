// Disparity by block matching: each pixel of the left image against `disparities` places in the
// right one, by the sum of absolute differences over 5 x 3 pixels. TBs in a row share the right
// image as far as the disparities reach, TBs in a column share the rows along their borders.
extern "C" __global__ void stereo_match(const float* left, const float* right, int* disparity,
                                        int width, int disparities) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // Images have a border: two rows, and as many columns as the disparities and windows need.
  const int pitch = width + disparities + 4;
  const int corner = y * pitch + x + disparities;
  float window[3][5];
#pragma unroll
  for (int row = 0; row < 3; ++row) {
#pragma unroll
    for (int column = 0; column < 5; ++column) {
      window[row][column] = left[corner + row * pitch + column];
    }
  }
  float best = 1e30F;
  int best_at = 0;
  for (int shift = 0; shift < disparities; ++shift) {
    float sum = 0;
#pragma unroll
    for (int row = 0; row < 3; ++row) {
#pragma unroll
      for (int column = 0; column < 5; ++column) {
        sum += fabsf(window[row][column] - right[corner + row * pitch + column - shift]);
      }
    }
    if (sum < best) {
      best = sum;
      best_at = shift;
    }
  }
  disparity[y * width + x] = best_at;
}
