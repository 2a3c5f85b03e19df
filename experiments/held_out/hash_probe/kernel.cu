// A hash join in two launches: hash_build puts each key of the one side into the first free slot
// from its hash on, and hash_probe looks up the keys of the other side, a key a thread. TBs share
// slots and payloads anywhere in the table, as the keys fall; rows of both sides are read once.
__device__ static unsigned SlotOf(int key, int mask) {
  return static_cast<unsigned>(key) * 2654435761U >> 7U & static_cast<unsigned>(mask);
}

extern "C" __global__ void hash_build(const int* key, int* slot_key, int* slot_row, int rows,
                                      int mask) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  unsigned slot = SlotOf(key[row], mask);
  while (atomicCAS(&slot_key[slot], -1, key[row]) != -1) slot = slot + 1 & mask;
  slot_row[slot] = row;
}

extern "C" __global__ void hash_probe(const int* key, const int* slot_key, const int* slot_row,
                                      const float* payload, float* out, int rows, int mask) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int wanted = key[row];
  float found = 0;
  for (unsigned slot = SlotOf(wanted, mask);; slot = slot + 1 & mask) {
    const int there = slot_key[slot];
    if (there == wanted) found = payload[slot_row[slot]];
    if (there == wanted || there == -1) break;
  }
  out[row] = found;
}
