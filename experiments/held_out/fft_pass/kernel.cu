// Passes of a Fourier transform of radix 4 that sorts itself (Stockham): a thread reads four values
// a quarter of the transform apart, turns them, and writes four values `done` apart. Launches
// differ in `done`. TBs share the table of roots, by few entries in early passes and by many in
// late ones.
__device__ static float2 Times(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

extern "C" __global__ void fft_pass(const float2* in, float2* out, const float2* root, int points,
                                    int done) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int quarter = points / 4;
  const int within = at % done;
  const int step = quarter / done;
  const float2 a = in[at];
  const float2 b = Times(in[at + quarter], root[within * step]);
  const float2 c = Times(in[at + 2 * quarter], root[2 * within * step]);
  const float2 d = Times(in[at + 3 * quarter], root[3 * within * step]);
  const float2 even_sum = make_float2(a.x + c.x, a.y + c.y);
  const float2 even_difference = make_float2(a.x - c.x, a.y - c.y);
  const float2 odd_sum = make_float2(b.x + d.x, b.y + d.y);
  const float2 odd_difference = make_float2(b.x - d.x, b.y - d.y);
  float2* to = out + (at - within) * 4 + within;
  to[0] = make_float2(even_sum.x + odd_sum.x, even_sum.y + odd_sum.y);
  to[done] =
      make_float2(even_difference.x + odd_difference.y, even_difference.y - odd_difference.x);
  to[2 * done] = make_float2(even_sum.x - odd_sum.x, even_sum.y - odd_sum.y);
  to[3 * done] =
      make_float2(even_difference.x - odd_difference.y, even_difference.y + odd_difference.x);
}
