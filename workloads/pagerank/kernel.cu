// PageRank as repeated sparse matrix times vector, a node per thread. Element (i, j) of the matrix is
// 1 / (number of links from j) where j links to i, so each round is rank = rest + damping * A * rank.
extern "C" __global__ void pagerank_start(float* rank, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) rank[node] = 1.0F / static_cast<float>(nodes);
}

// The matrix's elements, from how many links each page has.
extern "C" __global__ void pagerank_weigh(const int* row_start, const int* column,
                                          const int* links, float* value, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int end = row_start[node + 1];
  for (int i = row_start[node]; i < end; ++i) {
    value[i] = 1.0F / static_cast<float>(links[column[i]]);
  }
}

extern "C" __global__ void pagerank_multiply(const int* row_start, const int* column,
                                             const float* value, const float* rank, float* sum,
                                             int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float total = 0;
  const int end = row_start[node + 1];
  for (int i = row_start[node]; i < end; ++i) total += value[i] * rank[column[i]];
  sum[node] = total;
}

extern "C" __global__ void pagerank_damp(const float* sum, float* rank, float damping, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  rank[node] = (1.0F - damping) / static_cast<float>(nodes) + damping * sum[node];
}
