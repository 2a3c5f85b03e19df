// The nearest of many points for each query, by squared distance in 16 dimensions: a TB has 64
// queries, which it keeps in registers, and one part of the points, feature by feature through the
// L1. TBs in a column share queries, TBs in a row share points. A key holds distance and index.
constexpr int kFeatures = 16;
constexpr int kQueries = 64;

extern "C" __global__ void __launch_bounds__(kQueries)
    nearest_points(const float* query, const float* point, unsigned long long* nearest, int queries,
                   int part) {
  const int own = blockIdx.x * kQueries + threadIdx.x;
  float feature[kFeatures];
#pragma unroll
  for (int i = 0; i < kFeatures; ++i) feature[i] = query[i * queries + own];
  float best = 1e30F;
  int best_at = 0;
  const int begin = blockIdx.y * part;
  for (int at = begin; at < begin + part; ++at) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kFeatures; ++i) {
      const float difference = feature[i] - point[at * kFeatures + i];
      sum += difference * difference;
    }
    if (sum < best) {
      best = sum;
      best_at = at;
    }
  }
  const unsigned long long key = static_cast<unsigned long long>(__float_as_uint(best)) << 32U;
  nearest[blockIdx.y * queries + own] = key | static_cast<unsigned>(best_at);
}
