// SHA-1 digests of the pieces of a stream of data, one piece a thread. A thread stages one padded
// block of 16 words at a time in shared memory.
constexpr int kThreads = 128;

extern __shared__ unsigned staged[];  // word w of a thread's block at [w * kThreads + thread]

__device__ static unsigned RotateLeft(unsigned x, int bits) { return x << bits | x >> (32 - bits); }

// Big-endian word `w` of a padded message of `blocks` blocks: the data, a one bit, zeros, the
// length in bits.
__device__ static unsigned PaddedWord(const unsigned* data, unsigned length, unsigned blocks,
                                      unsigned w) {
  if (4 * w + 4 <= length) return __builtin_bswap32(data[w]);
  if (w == 16 * blocks - 1) return 8 * length;
  unsigned word = 0;
  if (4 * w <= length) {
    const unsigned bits = 8 * (length % 4);
    if (bits != 0) word = data[w] & ((1U << bits) - 1);
    word |= 0x80U << bits;
  }
  return __builtin_bswap32(word);
}

// Pieces of `length` bytes, a whole number of words apart.
extern "C" __global__ void sha1(const unsigned* data, int length, int count, unsigned* digests) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned* piece = data + i * ((length + 3) / 4);
  const int tx = threadIdx.x;
  const unsigned blocks = (length + 9 + 63) / 64;
  unsigned state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (unsigned block = 0; block < blocks; ++block) {
#pragma unroll
    for (unsigned w = 0; w < 16; ++w) {
      staged[w * kThreads + tx] = PaddedWord(piece, length, blocks, 16 * block + w);
    }
    unsigned a = state[0];
    unsigned b = state[1];
    unsigned c = state[2];
    unsigned d = state[3];
    unsigned e = state[4];
    unsigned words[16];  // the latest 16 of the schedule's 80 words
#pragma unroll
    for (int w = 0; w < 16; ++w) words[w] = staged[w * kThreads + tx];
#pragma unroll
    for (int round = 0; round < 80; ++round) {
      unsigned& word = words[round % 16];
      if (round >= 16) {
        word = RotateLeft(
            word ^ words[(round + 13) % 16] ^ words[(round + 8) % 16] ^ words[(round + 2) % 16], 1);
      }
      unsigned mixed;
      unsigned constant;
      if (round < 20) {
        mixed = (b & c) | (~b & d);
        constant = 0x5a827999;
      } else if (round < 40) {
        mixed = b ^ c ^ d;
        constant = 0x6ed9eba1;
      } else if (round < 60) {
        mixed = (b & c) | (b & d) | (c & d);
        constant = 0x8f1bbcdc;
      } else {
        mixed = b ^ c ^ d;
        constant = 0xca62c1d6;
      }
      const unsigned next = RotateLeft(a, 5) + mixed + e + constant + word;
      e = d;
      d = c;
      c = RotateLeft(b, 30);
      b = a;
      a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }
  for (int w = 0; w < 5; ++w) digests[5 * i + w] = state[w];
}
