// Prices of European call and put options by the Black-Scholes formula. The grid strides over the
// options, so each thread prices several, a whole grid apart; a value is read once and by one
// thread only.

// Normal distribution's cumulative function: Abramowitz and Stegun, formula 26.2.17.
__device__ static float CumulativeNormal(float d) {
  const float k = 1.0F / (1.0F + 0.2316419F * fabsf(d));
  const float polynomial =
      k * (0.31938153F +
           k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
  const float tail = 0.39894228F * __expf(-0.5F * d * d) * polynomial;
  return d > 0 ? 1.0F - tail : tail;
}

extern "C" __global__ void blackscholes(float* call, float* put, const float* price,
                                        const float* strike, const float* years, float rate,
                                        float volatility, int count) {
  const int threads = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    const float s = price[i];
    const float x = strike[i];
    const float t = years[i];
    const float deviation = volatility * sqrtf(t);
    const float d1 =
        __fdividef(logf(__fdividef(s, x)) + (rate + 0.5F * volatility * volatility) * t, deviation);
    const float n1 = CumulativeNormal(d1);
    const float n2 = CumulativeNormal(d1 - deviation);
    const float discounted = x * __expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0F - n2) - s * (1.0F - n1);
  }
}
