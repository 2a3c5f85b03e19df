// Sums of absolute differences (SAD) for motion estimation: each block of a frame against every
// displacement of up to 16 pixels in a reference frame, which is read through a texture. The first
// kernel does blocks of 4 x 4 pixels, one a thread block, the others add these up to the larger
// blocks of a macroblock of 16 x 16 pixels.
constexpr int kReach = 16;
constexpr int kSide = 2 * kReach + 1;
constexpr int kPositions = kSide * kSide;
constexpr int kPadded = 1096;        // positions of a block in memory
constexpr int kPairs = kPadded / 2;  // two sums of 16 bits in a word
constexpr int kPerThread = 18;       // positions of one of 61 threads

// Sums stand by the shape of their blocks, then macroblock, then block, row by row: so many
// blocks a macroblock of 16 x 16, 16 x 8 (wide), 8 x 16, 8 x 8, 8 x 4, 4 x 8, 4 x 4.
constexpr int k16x16 = 0;
constexpr int k16x8 = k16x16 + 1;
constexpr int k8x16 = k16x8 + 2;
constexpr int k8x8 = k8x16 + 2;
constexpr int k8x4 = k8x8 + 4;
constexpr int k4x8 = k8x4 + 8;
constexpr int k4x4 = k4x8 + 8;

texture<uint, 2> reference;

__device__ static uint Texel(texture<uint, 2> t, int x, int y) {
  uint r[4];
  __asm__("tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
          : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
          : "l"(t), "f"(static_cast<float>(x)), "f"(static_cast<float>(y)));
  return r[0];
}

extern "C" __global__ void sad_4x4(unsigned short* sums, const unsigned short* frame,
                                   int macroblocks_x, int macroblocks_y) {
  const int macroblock = blockIdx.y / 4 * macroblocks_x + blockIdx.x / 4;
  const int block = blockIdx.y % 4 * 4 + blockIdx.x % 4;
  const int x = 4 * blockIdx.x;
  const int y = 4 * blockIdx.y;
  const int width = 16 * macroblocks_x;
  unsigned short* out =
      sums + (k4x4 * macroblocks_x * macroblocks_y + 16 * macroblock + block) * kPadded;
  const int first = threadIdx.x * kPerThread;
  const int end = min(first + kPerThread, kPositions);
  for (int position = first; position < end; ++position) {
    const int left = x + position % kSide - kReach;
    const int top = y + position / kSide - kReach;
    int sum = 0;
#pragma unroll
    for (int row = 0; row < 4; ++row) {
#pragma unroll
      for (int column = 0; column < 4; ++column) {
        const int here = frame[(y + row) * width + x + column];
        const int there = Texel(reference, left + column, top + row);
        sum += abs(here - there);
      }
    }
    out[position] = sum;
  }
}

// The sums of one block as words of two.
__device__ static unsigned* Block(unsigned* sums, int shape, int shape_blocks, int block) {
  const int macroblocks = gridDim.x * gridDim.y;
  const int macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  return sums + (shape * macroblocks + shape_blocks * macroblock + block) * kPairs;
}

// A thread block does a macroblock; each row of 32 threads one quarter of it. No sum of two reaches
// 2^16, so that whole words can be added.
extern "C" __global__ void sad_8x8(unsigned* sums) {
  const int x = threadIdx.y % 2;
  const int y = threadIdx.y / 2;
  const unsigned* top_left = Block(sums, k4x4, 16, 8 * y + 2 * x);
  const unsigned* top_right = top_left + kPairs;
  const unsigned* bottom_left = top_left + 4 * kPairs;
  const unsigned* bottom_right = bottom_left + kPairs;
  unsigned* top = Block(sums, k8x4, 8, 4 * y + x);
  unsigned* bottom = top + 2 * kPairs;
  unsigned* left = Block(sums, k4x8, 8, 4 * y + 2 * x);
  unsigned* right = left + kPairs;
  unsigned* all = Block(sums, k8x8, 4, threadIdx.y);
  for (int i = threadIdx.x; i < kPairs; i += 32) {
    const unsigned a = top_left[i];
    const unsigned b = top_right[i];
    const unsigned c = bottom_left[i];
    const unsigned d = bottom_right[i];
    top[i] = a + b;
    bottom[i] = c + d;
    left[i] = a + c;
    right[i] = b + d;
    all[i] = a + b + c + d;
  }
}

extern "C" __global__ void sad_16x16(unsigned* sums) {
  const unsigned* quarters = Block(sums, k8x8, 4, 0);
  unsigned* wide = Block(sums, k16x8, 2, 0);
  unsigned* tall = Block(sums, k8x16, 2, 0);
  unsigned* all = Block(sums, k16x16, 1, 0);
  for (int i = threadIdx.x; i < kPairs; i += 32) {
    const unsigned a = quarters[i];
    const unsigned b = quarters[i + kPairs];
    const unsigned c = quarters[i + 2 * kPairs];
    const unsigned d = quarters[i + 3 * kPairs];
    wide[i] = a + b;
    wide[i + kPairs] = c + d;
    tall[i] = a + c;
    tall[i + kPairs] = b + d;
    all[i] = a + b + c + d;
  }
}
