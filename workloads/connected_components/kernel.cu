// Connected components by label equivalence, a node per thread in all three kernels. Each node looks
// for the lowest label among its neighbours and notes it as equivalent to its own (the first), the
// chains of equivalent labels are followed to their lowest (the second), and every node takes the
// label that its own is now equivalent to (the third); the host repeats until no label changes.
extern "C" __global__ void cc_scan(const int* row_start, const int* neighbour, const int* label,
                                   int* equivalent, int* changed, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int own = label[node];
  int lowest = own;
  const int end = row_start[node + 1];
  for (int i = row_start[node]; i < end; ++i) lowest = min(lowest, label[neighbour[i]]);
  if (lowest < own) {
    atomicMin(&equivalent[own], lowest);
    *changed = 1;
  }
}

// A label is the number of a node that still has it: only such a node has a chain to follow.
extern "C" __global__ void cc_follow(const int* label, int* equivalent, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || label[node] != node) return;
  int last = equivalent[node];
  while (last != equivalent[last]) last = equivalent[last];
  equivalent[node] = last;
}

extern "C" __global__ void cc_relabel(int* label, const int* equivalent, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  label[node] = equivalent[label[node]];
}
