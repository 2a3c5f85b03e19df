// The softmax of rows with a bias for each column: a row per TB, read three times. TBs share the
// bias, which all of them read, and nothing else.
constexpr int kThreads = 128;

extern "C" __global__ void __launch_bounds__(kThreads)
    row_softmax(const float* in, const float* bias, float* out, int columns) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float best = -1e30F;
  for (int x = t; x < columns; x += kThreads) best = fmaxf(best, row[x] + bias[x]);
  part[t] = best;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  best = part[0];
  __syncthreads();
  float sum = 0;
  for (int x = t; x < columns; x += kThreads) sum += __expf(row[x] + bias[x] - best);
  part[t] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  const float scale = 1.0F / part[0];
  for (int x = t; x < columns; x += kThreads) {
    out[blockIdx.x * columns + x] = __expf(row[x] + bias[x] - best) * scale;
  }
}
