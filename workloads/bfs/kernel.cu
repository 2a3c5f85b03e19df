// Breadth-first search, one level a round, a node per thread in both kernels. The first looks at
// the neighbours of each node of the frontier: which nodes these are is known only from the graph.
// The second makes what was found the next frontier; the host repeats while there is one.
struct Node {
  int start;  // of its edges
  int edges;
};

extern "C" __global__ void bfs_expand(const Node* nodes, const int* target, bool* frontier,
                                      bool* found, const bool* visited, int* cost, int count) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count || !frontier[node]) return;
  frontier[node] = false;
  // The bounds may be overwritten as far as the compiler knows, so each round loads them again.
  for (int i = nodes[node].start; i < nodes[node].start + nodes[node].edges; ++i) {
    const int other = target[i];
    if (visited[other]) continue;
    cost[other] = cost[node] + 1;
    found[other] = true;
  }
}

extern "C" __global__ void bfs_advance(bool* frontier, bool* found, bool* visited, bool* again,
                                       int count) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count || !found[node]) return;
  frontier[node] = true;
  visited[node] = true;
  *again = true;
  found[node] = false;
}
