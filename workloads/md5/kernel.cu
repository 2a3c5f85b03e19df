// MD5 digests of pieces of a stream of data, one piece a thread: the pieces stand one after the
// other, or they are windows that each start `stride` bytes after the one before and overlap. A
// thread stages one padded block of 16 words at a time in shared memory.
constexpr int kThreads = 128;

extern __shared__ unsigned message[];  // word w of a thread's block at [w * kThreads + thread]

__device__ static unsigned RotateLeft(unsigned x, int bits) { return x << bits | x >> (32 - bits); }

// Word `w` of a padded message of `blocks` blocks: the data, a one bit, zeros, the length in bits.
__device__ static unsigned PaddedWord(const unsigned* data, unsigned length, unsigned blocks,
                                      unsigned w) {
  if (4 * w + 4 <= length) return data[w];
  if (w == 16 * blocks - 2) return 8 * length;
  unsigned word = 0;
  if (4 * w <= length) {
    const unsigned bits = 8 * (length % 4);
    if (bits != 0) word = data[w] & ((1U << bits) - 1);
    word |= 0x80U << bits;
  }
  return word;
}

__device__ static __attribute__((always_inline)) void Digest(const unsigned* data, unsigned length,
                                                             unsigned* digest) {
  constexpr unsigned kSines[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391,
  };
  constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  const int tx = threadIdx.x;
  const unsigned blocks = (length + 9 + 63) / 64;
  unsigned state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (unsigned block = 0; block < blocks; ++block) {
#pragma unroll
    for (unsigned w = 0; w < 16; ++w) {
      message[w * kThreads + tx] = PaddedWord(data, length, blocks, 16 * block + w);
    }
    unsigned a = state[0];
    unsigned b = state[1];
    unsigned c = state[2];
    unsigned d = state[3];
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      unsigned mixed;
      int w;
      if (i < 16) {
        mixed = (b & c) | (~b & d);
        w = i;
      } else if (i < 32) {
        mixed = (d & b) | (~d & c);
        w = (5 * i + 1) % 16;
      } else if (i < 48) {
        mixed = b ^ c ^ d;
        w = (3 * i + 5) % 16;
      } else {
        mixed = c ^ (b | ~d);
        w = 7 * i % 16;
      }
      const unsigned sum = a + mixed + kSines[i] + message[w * kThreads + tx];
      a = d;
      d = c;
      c = b;
      b += RotateLeft(sum, kShifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
  }
  for (int i = 0; i < 4; ++i) digest[i] = state[i];
}

// Pieces of `length` bytes, a whole number of words apart.
extern "C" __global__ void md5(const unsigned* data, int length, int count, unsigned* digests) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Digest(data + i * ((length + 3) / 4), length, digests + 4 * i);
}

// Windows of `length` bytes that start `stride` bytes apart, a multiple of 4.
extern "C" __global__ void md5_overlap(const unsigned* data, int length, int stride, int count,
                                       unsigned* digests) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Digest(data + i * (stride / 4), length, digests + 4 * i);
}
