// A histogram that is divided by keys: a TB goes through one part of the input and counts only the
// keys of its own range, in shared memory. TBs in x read the same part, TBs in y add to the same
// counts.
constexpr int kRange = 512;

extern "C" __global__ void key_histogram(const int* key, int* count, int part) {
  __shared__ int own[kRange];
  for (int i = threadIdx.x; i < kRange; i += blockDim.x) own[i] = 0;
  __syncthreads();
  const int first = blockIdx.x * kRange;
  for (int i = threadIdx.x; i < part; i += blockDim.x) {
    const int place = key[blockIdx.y * part + i] - first;
    if (place >= 0 && place < kRange) atomicAdd(&own[place], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kRange; i += blockDim.x) {
    if (own[i] != 0) atomicAdd(&count[first + i], own[i]);
  }
}
