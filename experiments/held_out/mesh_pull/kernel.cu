// Rounds of PageRank on a mesh, in compressed rows: a thread has a node and adds up its neighbours'
// shares. Nodes are numbered row by row, so that TBs share nodes with those beside them and with
// those that are a row of the mesh away; the indices come from memory.
extern "C" __global__ void mesh_pull(const int* row_start, const int* column, const float* share,
                                     float* next, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int begin = row_start[node];
  const int end = row_start[node + 1];
  float sum = 0;
  for (int at = begin; at < end; ++at) sum += share[column[at]];
  next[node] = (0.15F + 0.85F * sum) / static_cast<float>(end - begin);
}
