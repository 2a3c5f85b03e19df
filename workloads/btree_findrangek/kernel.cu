// Finds ranges of keys in a B+ tree, one thread block a range: two walks down the tree side by
// side, one for each end. At each level every thread compares both ends with one entry of the two
// nodes; those whose intervals they fall in name the children to go on with. Where a block stands
// in the tree it keeps in global memory, as the program does.
constexpr int kOrder = 256;  // threads of a block, and keys that a node has room for

struct Node {
  int location;
  int indices[kOrder + 1];
  int keys[kOrder + 1];
  int is_leaf;
  int num_keys;
};

extern "C" __global__ void btree_findrangek(int height, const Node* nodes, int node_count,
                                            int* first_current, int* first_next, int* last_current,
                                            int* last_next, const int* first, const int* last,
                                            int* record, int* length) {
  const int tx = threadIdx.x;
  const int query = blockIdx.x;
  for (int level = 0; level < height; ++level) {
    if (nodes[first_current[query]].keys[tx] <= first[query] &&
        nodes[first_current[query]].keys[tx + 1] > first[query]) {
      const int child = nodes[first_current[query]].indices[tx];
      if (child < node_count) first_next[query] = child;
    }
    if (nodes[last_current[query]].keys[tx] <= last[query] &&
        nodes[last_current[query]].keys[tx + 1] > last[query]) {
      const int child = nodes[last_current[query]].indices[tx];
      if (child < node_count) last_next[query] = child;
    }
    __syncthreads();
    if (tx == 0) {
      first_current[query] = first_next[query];
      last_current[query] = last_next[query];
    }
    __syncthreads();
  }
  if (nodes[first_current[query]].keys[tx] == first[query]) {
    record[query] = nodes[first_current[query]].indices[tx];
  }
  __syncthreads();
  if (nodes[last_current[query]].keys[tx] == last[query]) {
    length[query] = nodes[last_current[query]].indices[tx] - record[query] + 1;
  }
}
