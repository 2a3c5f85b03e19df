// Sums of rows of a table, a bag of indices each: a warp has a bag and two elements a lane, a TB
// four bags. The indices are the columns of a graph most of whose edges lead to few nodes, so that
// all TBs share few popular rows, and bags differ in length.
constexpr int kBags = 4;

extern "C" __global__ void __launch_bounds__(32 * kBags)
    embedding_bag(const int* bag_start, const int* index, const float2* table, float2* out,
                  int bags) {
  const int bag = blockIdx.x * kBags + threadIdx.y;
  if (bag >= bags) return;
  float2 sum = {0, 0};
  const int begin = bag_start[bag];
  const int end = bag_start[bag + 1];
  for (int at = begin; at < end; ++at) {
    const float2 row = table[index[at] * 32 + threadIdx.x];
    sum.x += row.x;
    sum.y += row.y;
  }
  const float share = end > begin ? 1.0F / static_cast<float>(end - begin) : 0.0F;
  out[bag * 32 + threadIdx.x] = {sum.x * share, sum.y * share};
}
