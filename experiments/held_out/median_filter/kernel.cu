// The median of 3 x 3 bytes around each pixel: columns are sorted, then the largest of the least,
// the middle of the middles and the least of the largest. A grid of one dimension goes through
// tiles of 64 x 4 row by row; TBs share the rows and columns along their borders.
__device__ static void Order(int* low, int* high) {
  const int least = min(*low, *high);
  *high = max(*low, *high);
  *low = least;
}
__device__ static int Middle(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

extern "C" __global__ void median_filter(const unsigned char* in, unsigned char* out, int width,
                                         int height) {
  const int tiles = width / blockDim.x;
  const int x = blockIdx.x % tiles * blockDim.x + threadIdx.x;
  const int y = blockIdx.x / tiles * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int sorted[3][3];
#pragma unroll
  for (int column = 0; column < 3; ++column) {
#pragma unroll
    for (int row = 0; row < 3; ++row) {
      sorted[column][row] = in[(y + row - 1) * width + x + column - 1];
    }
    Order(&sorted[column][0], &sorted[column][1]);
    Order(&sorted[column][1], &sorted[column][2]);
    Order(&sorted[column][0], &sorted[column][1]);
  }
  const int low = max(max(sorted[0][0], sorted[1][0]), sorted[2][0]);
  const int middle = Middle(sorted[0][1], sorted[1][1], sorted[2][1]);
  const int high = min(min(sorted[0][2], sorted[1][2]), sorted[2][2]);
  out[y * width + x] = Middle(low, middle, high);
}
