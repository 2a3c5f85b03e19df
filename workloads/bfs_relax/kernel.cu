// Breadth-first search by relaxing distances from a worklist: threads stride over the nodes that the
// last level reached and put those that they reach first on the next level's list. A thread gathers
// a few of them in shared memory, so that the lists' ends are moved by several at a time.
constexpr int kThreads = 256;
constexpr int kGathered = 4;  // of a thread

__device__ static void Append(const int* gathered, int count, int* list, int* size) {
  const int at = atomicAdd(size, count);
  for (int k = 0; k < count; ++k) list[at + k] = gathered[k * kThreads];
}

extern "C" __global__ void bfs_start(int* distance, int* list, int* size, int source, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  distance[node] = node == source ? 0 : 1 << 30;
  if (node != source) return;
  list[0] = source;
  *size = 1;
}

extern "C" __global__ void bfs_relax(const int* row_start, const int* target, int* distance,
                                     const int* list, const int* size, int* next, int* next_size) {
  __shared__ int all_gathered[kGathered * kThreads];
  int* gathered = &all_gathered[threadIdx.x];
  int count = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < *size; i += gridDim.x * kThreads) {
    const int node = list[i];
    const int reached = distance[node] + 1;
    const int end = row_start[node + 1];
    for (int k = row_start[node]; k < end; ++k) {
      const int other = target[k];
      if (distance[other] <= reached) continue;
      if (atomicMin(&distance[other], reached) <= reached) continue;  // another was first
      gathered[count++ * kThreads] = other;
      if (count < kGathered) continue;
      Append(gathered, count, next, next_size);
      count = 0;
    }
  }
  if (count > 0) Append(gathered, count, next, next_size);
}

// One thread between two levels: the list that was read is empty now; is there another level?
extern "C" __global__ void bfs_turn(int* read_size, const int* next_size, int* again) {
  *read_size = 0;
  *again = *next_size;
}
