// The first two steps of a wavelet image coder: a byte image of red, green and blue is taken apart
// into three planes of signed integers, then a plane gets one level of the reversible 5/3 wavelet
// transform, by lifting, in both directions.

// A thread block copies its 256 pixels' bytes to shared memory four at a time, then each thread
// writes its pixel's components, moved to -128..127.
constexpr int kPixels = 256;

extern "C" __global__ void split_components(const unsigned* image, int* red, int* green, int* blue,
                                            int pixels) {
  __shared__ unsigned words[kPixels * 3 / 4];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * blockDim.x;
  if (tx * 4 < kPixels * 3) words[tx] = image[((first * 3) >> 2) + tx];
  __syncthreads();
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(words) + 3 * tx;
  const int i = first + tx;
  if (i < pixels) {
    red[i] = bytes[0] - 128;
    green[i] = bytes[1] - 128;
    blue[i] = bytes[2] - 128;
  }
}

// Wavelet transform of one tile of kWidth columns, one a thread, by windows of kRows rows that
// slide down through shared memory. Each row is transformed in shared memory, where the tile has
// the two columns before it and the one after; then each thread lifts its column, and carries the
// last even row and the last detail row on in registers.
constexpr int kWidth = 192;
constexpr int kRows = 8;
constexpr int kLine = kWidth + 3;

// Beyond its edges the image is continued symmetrically.
__device__ static int Mirror(int i, int size) {
  i = i < 0 ? -i : i;
  return i < size ? i : 2 * (size - 1) - i;
}

// Loads `rows` rows from `y` on and transforms them: even columns of `line` then hold the smooth
// part, odd ones the details. Column c of the tile stands at c + 2.
__device__ static void TransformRows(int line[kRows][kLine], int rows, const int* image, int width,
                                     int height, int x, int y) {
  const int tx = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    const int* row = image + Mirror(y + r, height) * width;
    line[r][tx + 2] = row[Mirror(x + tx, width)];
    if (tx < 3) {
      const int column = tx < 2 ? tx : kLine - 1;
      line[r][column] = row[Mirror(x + column - 2, width)];
    }
  }
  __syncthreads();
  for (int i = tx; i < rows * (kWidth / 2 + 1); i += kWidth) {
    const int r = i / (kWidth / 2 + 1);
    const int c = 2 * (i % (kWidth / 2 + 1)) + 1;
    line[r][c] -= (line[r][c - 1] + line[r][c + 1]) >> 1;
  }
  __syncthreads();
  for (int i = tx; i < rows * (kWidth / 2); i += kWidth) {
    const int r = i / (kWidth / 2);
    const int c = 2 * (i % (kWidth / 2)) + 2;
    line[r][c] += (line[r][c - 1] + line[r][c + 1] + 2) >> 2;
  }
  __syncthreads();
}

// One block does windows * kRows rows. The result has the four bands as quarters: smooth left and
// on top, details right and below.
extern "C" __global__ void dwt53(const int* image, int* result, int width, int height,
                                 int windows) {
  __shared__ int line[kRows][kLine];
  const int tx = threadIdx.x;
  const int x = blockIdx.x * kWidth;
  int y = blockIdx.y * windows * kRows;
  const bool in_image = x + tx < width;
  const int smooth_columns = (width + 1) / 2;
  const int smooth_rows = (height + 1) / 2;
  int* column = result + (tx % 2 == 0 ? (x + tx) / 2 : smooth_columns + (x + tx) / 2);

  // The detail row above the tile's first row.
  TransformRows(line, 3, image, width, height, x, y - 2);
  int even = line[2][tx + 2];
  int detail = line[1][tx + 2] - ((line[0][tx + 2] + even) >> 1);
  __syncthreads();

  for (int window = 0; window < windows && y < height; ++window) {
    TransformRows(line, kRows, image, width, height, x, y + 1);
    for (int r = 0; r < kRows; r += 2) {
      const int below = line[r + 1][tx + 2];
      const int next_detail = line[r][tx + 2] - ((even + below) >> 1);
      if (in_image && y + r < height) {
        column[(y + r) / 2 * width] = even + ((detail + next_detail + 2) >> 2);
      }
      if (in_image && y + r + 1 < height) {
        column[(smooth_rows + (y + r) / 2) * width] = next_detail;
      }
      even = below;
      detail = next_detail;
    }
    __syncthreads();
    y += kRows;
  }
}
