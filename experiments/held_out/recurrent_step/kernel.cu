// Steps of a recurrent layer over a batch, state' = x / (1 + |x|) of x = W * state + input: a lane
// has a unit, a TB 64 units of four sequences. TBs in y share columns of W, TBs in x share states.
constexpr int kUnits = 64;
constexpr int kSequences = 4;

extern "C" __global__ void __launch_bounds__(kUnits)
    recurrent_step(const float* weight, const float* input, const float* state, float* next,
                   int units) {
  const int unit = blockIdx.x * kUnits + threadIdx.x;
  const int first = blockIdx.y * kSequences;
  float sum[kSequences];
#pragma unroll
  for (int s = 0; s < kSequences; ++s) sum[s] = input[(first + s) * units + unit];
#pragma unroll 4
  for (int i = 0; i < units; ++i) {
    const float factor = weight[i * units + unit];
#pragma unroll
    for (int s = 0; s < kSequences; ++s) sum[s] += factor * state[(first + s) * units + i];
  }
#pragma unroll
  for (int s = 0; s < kSequences; ++s) {
    next[(first + s) * units + unit] = sum[s] / (1.0F + fabsf(sum[s]));
  }
}
