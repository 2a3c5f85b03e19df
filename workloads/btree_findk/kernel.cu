// Looks keys up in a B+ tree, one thread block a key: at each level every thread compares the key
// with one entry of the node, and the one whose interval it falls in names the child to go on with.
// Where a block stands in the tree it keeps in global memory, as the program does.
constexpr int kOrder = 256;  // threads of a block, and keys that a node has room for

struct Node {
  int location;
  int indices[kOrder + 1];
  int keys[kOrder + 1];
  int is_leaf;
  int num_keys;
};

extern "C" __global__ void btree_findk(int height, const Node* nodes, int node_count,
                                       const int* records, int* current, int* next,
                                       const int* wanted, int* answer) {
  const int tx = threadIdx.x;
  const int query = blockIdx.x;
  for (int level = 0; level < height; ++level) {
    if (nodes[current[query]].keys[tx] <= wanted[query] &&
        nodes[current[query]].keys[tx + 1] > wanted[query]) {
      const int child = nodes[next[query]].indices[tx];
      if (child < node_count) next[query] = child;
    }
    __syncthreads();
    if (tx == 0) current[query] = next[query];
    __syncthreads();
  }
  if (nodes[current[query]].keys[tx] == wanted[query]) {
    answer[query] = records[nodes[current[query]].indices[tx]];
  }
}
