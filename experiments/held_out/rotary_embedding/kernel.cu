// Rotary position embedding in place: each pair of elements of a head is turned by an angle of its
// token and place, from tables of cosines and sines. A TB has 16 tokens of one head. TBs of the
// same tokens, one row of the grid apart, share the tables' rows.
constexpr int kPairs = 32;
constexpr int kTokens = 16;
constexpr int kStep = 4;

extern "C" __global__ void __launch_bounds__(kPairs* kStep)
    rotary_embedding(float* x, const float* cosine, const float* sine) {
  const int heads = gridDim.y;
  const int pair = threadIdx.x;
#pragma unroll
  for (int i = 0; i < kTokens; i += kStep) {
    const int token = blockIdx.x * kTokens + threadIdx.y + i;
    float* own = x + (token * heads + blockIdx.y) * 2 * kPairs + pair;
    const float c = cosine[token * kPairs + pair];
    const float s = sine[token * kPairs + pair];
    const float first = own[0];
    const float second = own[kPairs];
    own[0] = first * c - second * s;
    own[kPairs] = first * s + second * c;
  }
}
