// Shortest paths from one node, as a product of matrix and vector in which + is the minimum and * is
// the sum: each round a node takes the shortest way over one of its neighbours. A node per thread.
constexpr int kFar = 100000000;  // longer than any path; may be added to a weight

extern "C" __global__ void sssp_start(int* distance, int source, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) distance[node] = node == source ? 0 : kFar;
}

extern "C" __global__ void sssp_multiply(const int* row_start, const int* column, const int* weight,
                                         const int* distance, int* next, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  int shortest = distance[node];
  const int end = row_start[node + 1];
  for (int i = row_start[node]; i < end; ++i) {
    shortest = min(shortest, weight[i] + distance[column[i]]);
  }
  next[node] = shortest;
}

extern "C" __global__ void sssp_take(int* distance, const int* next, int* changed, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || distance[node] == next[node]) return;
  distance[node] = next[node];
  *changed = 1;
}
