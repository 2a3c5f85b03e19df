// Tracks points of a heart's wall through the frames of an ultrasound film: one thread block
// follows one point. It cuts a window around the point's last place out of the frame, correlates it
// with the point's template at every displacement, moves the point to the best match and blends
// what stands there into the template. Which memory a block works on it learns from a table of
// pointers in constant memory, and where in the frame from the place that the last frame's launch
// stored.
constexpr int kPoints = 51;
constexpr int kThreads = 256;
constexpr int kMaxTemplate = 21;
constexpr int kMaxWindow = 45;

__device__ float templates[kPoints * kMaxTemplate * kMaxTemplate];
__device__ float windows[kPoints * kMaxWindow * kMaxWindow];
__device__ static int rows[kPoints];
__device__ static int columns[kPoints];

struct Point {
  float* pattern;  // the template, row by row
  float* window;
  int* row;  // of the point, its last place
  int* column;
  int first_row;  // its place in the first frame
  int first_column;
};

// Memory that is known to be global, so that its loads are: the table's pointers are generic.
template <class T>
using Global = __attribute__((address_space(1))) T;

#define POINT(i, row, column)                                                                     \
  {                                                                                               \
    templates + (i)*kMaxTemplate *kMaxTemplate, windows + (i)*kMaxWindow *kMaxWindow, rows + (i), \
        columns + (i), row, column                                                                \
  }
// 20 points of the inner wall, then 31 of the outer one, each on an ellipse.
__constant__ Point kTable[kPoints] = {
    POINT(0, 300, 365),  POINT(1, 329, 361),  POINT(2, 356, 351),  POINT(3, 377, 334),
    POINT(4, 390, 313),  POINT(5, 395, 290),  POINT(6, 390, 267),  POINT(7, 377, 246),
    POINT(8, 356, 229),  POINT(9, 329, 219),  POINT(10, 300, 215), POINT(11, 271, 219),
    POINT(12, 244, 229), POINT(13, 223, 246), POINT(14, 210, 267), POINT(15, 205, 290),
    POINT(16, 210, 313), POINT(17, 223, 334), POINT(18, 244, 351), POINT(19, 271, 361),
    POINT(20, 300, 405), POINT(21, 328, 403), POINT(22, 355, 396), POINT(23, 380, 384),
    POINT(24, 401, 369), POINT(25, 419, 351), POINT(26, 431, 330), POINT(27, 438, 307),
    POINT(28, 440, 284), POINT(29, 436, 261), POINT(30, 426, 239), POINT(31, 411, 220),
    POINT(32, 391, 203), POINT(33, 368, 189), POINT(34, 342, 180), POINT(35, 314, 176),
    POINT(36, 286, 176), POINT(37, 258, 180), POINT(38, 232, 189), POINT(39, 209, 203),
    POINT(40, 189, 220), POINT(41, 174, 239), POINT(42, 164, 261), POINT(43, 160, 284),
    POINT(44, 162, 307), POINT(45, 169, 330), POINT(46, 181, 351), POINT(47, 199, 369),
    POINT(48, 220, 384), POINT(49, 245, 396), POINT(50, 272, 403),
};
#undef POINT

// The sum over the block, for all its threads.
__device__ static __attribute__((always_inline)) float BlockSum(float value, float* partial) {
  const int tx = threadIdx.x;
  partial[tx] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (tx < half) partial[tx] += partial[tx + half];
    __syncthreads();
  }
  const float sum = partial[0];
  __syncthreads();
  return sum;
}

// `radius` of the template, `reach`: how far a point may move from frame to frame. Frame 0 only
// cuts out the templates. The points' places after this frame go to found_rows and found_columns.
extern "C" __global__ void heartwall(const float* frame, int frame_columns, int frame_number,
                                     int radius, int reach, float blend, int* found_rows,
                                     int* found_columns, float* found_match) {
  __shared__ float partial[kThreads];
  __shared__ int best[kThreads];
  const Point& point = kTable[blockIdx.x];
  auto* pattern = (Global<float>*)(point.pattern);
  auto* window = (Global<float>*)(point.window);
  auto* last_row = (Global<int>*)(point.row);
  auto* last_column = (Global<int>*)(point.column);
  const int tx = threadIdx.x;
  const int side = 2 * radius + 1;

  if (frame_number == 0) {
    const int row = point.first_row - radius;
    const int column = point.first_column - radius;
    for (int i = tx; i < side * side; i += kThreads) {
      pattern[i] = frame[(row + i / side) * frame_columns + column + i % side];
    }
    if (tx == 0) {
      *last_row = point.first_row;
      *last_column = point.first_column;
      found_rows[blockIdx.x] = point.first_row;
      found_columns[blockIdx.x] = point.first_column;
      found_match[blockIdx.x] = 1;
    }
    return;
  }

  const int places = 2 * reach + 1;
  const int window_side = side + 2 * reach;
  const int row = *last_row - radius - reach;
  const int column = *last_column - radius - reach;
  for (int i = tx; i < window_side * window_side; i += kThreads) {
    window[i] = frame[(row + i / window_side) * frame_columns + column + i % window_side];
  }

  // The template's mean and its sum of squares about the mean.
  float sum = 0;
  for (int i = tx; i < side * side; i += kThreads) sum += pattern[i];
  const float mean = BlockSum(sum, partial) / (side * side);
  float squares = 0;
  for (int i = tx; i < side * side; i += kThreads) {
    const float t = pattern[i] - mean;
    squares += t * t;
  }
  const float template_squares = BlockSum(squares, partial);

  // Each thread tries every 256th displacement, and keeps the first of its best ones.
  float best_match = -2;
  int best_place = 0;
  for (int place = tx; place < places * places; place += kThreads) {
    const Global<float>* corner = window + place / places * window_side + place % places;
    float window_sum = 0;
    float window_squares = 0;
    float product = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const float w = corner[y * window_side + x];
        window_sum += w;
        window_squares += w * w;
        product += w * (pattern[y * side + x] - mean);
      }
    }
    const float variance = window_squares - window_sum * window_sum / (side * side);
    const float match = product * rsqrtf(variance * template_squares);
    if (match > best_match) {
      best_match = match;
      best_place = place;
    }
  }
  partial[tx] = best_match;
  best[tx] = best_place;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (tx < half) {
      const float other = partial[tx + half];
      if (other > partial[tx] || (other == partial[tx] && best[tx + half] < best[tx])) {
        partial[tx] = other;
        best[tx] = best[tx + half];
      }
    }
    __syncthreads();
  }

  const int down = best[0] / places;
  const int right = best[0] % places;
  for (int i = tx; i < side * side; i += kThreads) {
    const float seen = window[(down + i / side) * window_side + right + i % side];
    pattern[i] = (1 - blend) * pattern[i] + blend * seen;
  }
  if (tx == 0) {
    *last_row += down - reach;
    *last_column += right - reach;
    found_rows[blockIdx.x] = *last_row;
    found_columns[blockIdx.x] = *last_column;
    found_match[blockIdx.x] = partial[0];
  }
}
