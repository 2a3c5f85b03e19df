// Every thread sums a run of consecutive elements that starts wherever its index says.
extern "C" __global__ void random_loc(const int* start, const float* data, float* sum, int threads,
                                      int length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const int first = start[thread];
  float total = 0;
  for (int m = 0; m < length; ++m) total += data[first + m];
  sum[thread] = total;
}
