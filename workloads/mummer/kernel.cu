// Finds where reads match a genome, by its suffix tree: for each place of a read, the longest match
// that starts there. One thread walks one read. From one place to the next it follows a suffix
// link, and then only counts the letters that it knows to match. The tree and the genome are read
// through textures, the reads from global memory.
texture<int, 1> tree;     // two texels a node: its children; begin, end, link and depth
texture<uint, 1> genome;  // letters 0 to 3

__device__ static int4 Node(texture<int, 1> t, int i) {
  int4 r;
  __asm__("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
          : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
          : "l"(t), "r"(i));
  return r;
}
__device__ static uint Letter(texture<uint, 1> t, int i) {
  uint r[4];
  __asm__("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
          : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
          : "l"(t), "r"(i));
  return r[0];
}

__device__ static int Child(int4 children, int letter) {
  if (letter == 0) return children.x;
  if (letter == 1) return children.y;
  return letter == 2 ? children.z : children.w;
}

// matches[i] is where the longest match of the read from letter i on stands, and how long it is;
// matches of less than min_match letters up to the read's end are not sought.
extern "C" __global__ void mummer(const unsigned char* letters, const int* read_start,
                                  const int* read_length, int reads, int min_match,
                                  int genome_length, int2* matches) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= reads) return;
  const int first = read_start[read];
  const int end = first + read_length[read];

  int node = 0;
  int known = 0;  // letters from `start` on that are known to match
  for (int start = first; start + min_match <= end; ++start) {
    int4 here = Node(tree, 2 * node + 1);
    int matched = here.w;
    int place = here.y - matched;
    while (start + matched < end) {
      const int child = Child(Node(tree, 2 * node), letters[start + matched]);
      if (child == 0) break;
      const int4 edge = Node(tree, 2 * child + 1);
      const int edge_length = edge.y - edge.x;
      int along = min(max(known - matched, 0), edge_length);
      while (along < edge_length && start + matched + along < end &&
             Letter(genome, edge.x + along) == letters[start + matched + along]) {
        ++along;
      }
      matched += along;
      place = edge.x + along - matched;
      // Only a leaf's edge reaches the genome's end; no link leads on from there.
      if (along < edge_length || edge.y == genome_length) break;
      node = child;
      here = edge;
    }
    matches[start] = make_int2(place, matched);
    known = max(matched - 1, 0);
    node = here.z;
  }
}
