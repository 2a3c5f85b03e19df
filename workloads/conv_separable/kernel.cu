// Convolution of an image with a separable kernel of 17 weights: along rows, then along columns. A
// thread block brings eight tiles side by side and one more at each end to shared memory, where the
// end tiles are zero outside of the image, and each thread computes eight pixels. The image's sizes
// are multiples of the tiles'.
constexpr int kRadius = 8;
constexpr int kSteps = 8;  // pixels a thread computes
constexpr int kEnds = 1;   // tiles at either end
constexpr int kTiles = kEnds + kSteps + kEnds;

constexpr int kWeights = 2 * kRadius + 1;

__constant__ float weights[kWeights];

constexpr int kRowsX = 16;
constexpr int kRowsY = 4;

extern "C" __global__ void conv_rows(float* result, const float* image, int width) {
  __shared__ float tile[kRowsY][kTiles * kRowsX];
  // The column of the thread's pixel in the left end tile.
  const int x = (static_cast<int>(blockIdx.x) * kSteps - kEnds) * kRowsX + threadIdx.x;
  const int y = blockIdx.y * kRowsY + threadIdx.y;
  image += y * width + x;
  result += y * width + x;
  float* const row = &tile[threadIdx.y][threadIdx.x];
#pragma unroll
  for (int i = kEnds; i < kEnds + kSteps; ++i) row[i * kRowsX] = image[i * kRowsX];
#pragma unroll
  for (int i = 0; i < kEnds; ++i) {
    row[i * kRowsX] = x + i * kRowsX >= 0 ? image[i * kRowsX] : 0;
  }
#pragma unroll
  for (int i = kEnds + kSteps; i < kTiles; ++i) {
    row[i * kRowsX] = x + i * kRowsX < width ? image[i * kRowsX] : 0;
  }
  __syncthreads();
  float own_weights[kWeights];
#pragma unroll
  for (int i = 0; i < kWeights; ++i) own_weights[i] = weights[i];
#pragma unroll
  for (int i = kEnds; i < kEnds + kSteps; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kRadius; j <= kRadius; ++j) sum += own_weights[kRadius - j] * row[i * kRowsX + j];
    result[i * kRowsX] = sum;
  }
}

constexpr int kColumnsX = 16;
constexpr int kColumnsY = 8;

extern "C" __global__ void conv_columns(float* result, const float* image, int width, int height) {
  // One column of the tile lies in a row here; the odd length spreads the banks.
  __shared__ float tile[kColumnsX][kTiles * kColumnsY + 1];
  const int x = blockIdx.x * kColumnsX + threadIdx.x;
  const int y = (static_cast<int>(blockIdx.y) * kSteps - kEnds) * kColumnsY + threadIdx.y;
  image += y * width + x;
  result += y * width + x;
  float* const column = &tile[threadIdx.x][threadIdx.y];
#pragma unroll
  for (int i = kEnds; i < kEnds + kSteps; ++i) {
    column[i * kColumnsY] = image[i * kColumnsY * width];
  }
#pragma unroll
  for (int i = 0; i < kEnds; ++i) {
    column[i * kColumnsY] = y + i * kColumnsY >= 0 ? image[i * kColumnsY * width] : 0;
  }
#pragma unroll
  for (int i = kEnds + kSteps; i < kTiles; ++i) {
    column[i * kColumnsY] = y + i * kColumnsY < height ? image[i * kColumnsY * width] : 0;
  }
  __syncthreads();
  float own_weights[kWeights];
#pragma unroll
  for (int i = 0; i < kWeights; ++i) own_weights[i] = weights[i];
#pragma unroll
  for (int i = kEnds; i < kEnds + kSteps; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kRadius; j <= kRadius; ++j) {
      sum += own_weights[kRadius - j] * column[i * kColumnsY + j];
    }
    result[i * kColumnsY * width] = sum;
  }
}
