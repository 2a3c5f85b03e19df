// Merge sort of keys with values, stable. Tiles of 1,024 elements are sorted in shared memory; then
// each pass merges pairs of sorted runs of `run` elements, cut into intervals of at most 128
// elements of either run by the ranks of every 128th element: the merged ranks of these samples are
// the intervals' limits, and a thread block merges one interval in shared memory.
// Counts are whole multiples of two runs, runs are powers of two from 1,024 on.
constexpr int kTile = 1024;
constexpr int kSample = 128;

// Elements of the sorted array below `key` (or, if `or_equal`, not above it): ranks with one kind
// for the left run and the other for the right run keep equal keys in their order.
__device__ static int Rank(unsigned key, const unsigned* sorted, int count, bool or_equal) {
  int low = 0;
  int high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    const unsigned other = sorted[middle];
    if (other < key || (or_equal && other == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

extern "C" __global__ void sort_tiles(const unsigned* in_keys, const unsigned* in_values,
                                      unsigned* out_keys, unsigned* out_values) {
  __shared__ unsigned keys[kTile];
  __shared__ unsigned values[kTile];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * kTile + tx;
  const int second = first + kTile / 2;
  keys[tx] = in_keys[first];
  values[tx] = in_values[first];
  keys[tx + kTile / 2] = in_keys[second];
  values[tx + kTile / 2] = in_values[second];
  for (int run = 1; run < kTile; run *= 2) {
    // Each thread moves one element of a left run and the one at its place in the right run.
    const int place = tx & (run - 1);
    const int begin = 2 * (tx - place);
    const unsigned* left = keys + begin;
    const unsigned* right = left + run;
    __syncthreads();
    const unsigned left_key = left[place];
    const unsigned left_value = values[begin + place];
    const unsigned right_key = right[place];
    const unsigned right_value = values[begin + run + place];
    const int left_rank = place + Rank(left_key, right, run, false);
    const int right_rank = place + Rank(right_key, left, run, true);
    __syncthreads();
    keys[begin + left_rank] = left_key;
    values[begin + left_rank] = left_value;
    keys[begin + right_rank] = right_key;
    values[begin + right_rank] = right_value;
  }
  __syncthreads();
  out_keys[first] = keys[tx];
  out_values[first] = values[tx];
  out_keys[second] = keys[tx + kTile / 2];
  out_values[second] = values[tx + kTile / 2];
}

// Each thread takes one sample of a left run and the one at its place in the right run, and finds
// their ranks in both runs; a pair's ranks stand in the order left samples, right samples.
extern "C" __global__ void rank_samples(const unsigned* keys, int* left_ranks, int* right_ranks,
                                        int run, int samples) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= samples / 2) return;
  const int run_samples = run / kSample;
  const int place = thread & (run_samples - 1);
  const int pair = thread - place;  // run_samples threads a pair
  const unsigned* left = keys + pair * (2 * kSample);
  const unsigned* right = left + run;
  int* left_rank = left_ranks + 2 * pair + place;
  int* right_rank = right_ranks + 2 * pair + place;
  left_rank[0] = place * kSample;
  right_rank[0] = Rank(left[place * kSample], right, run, false);
  left_rank[run_samples] = Rank(right[place * kSample], left, run, true);
  right_rank[run_samples] = place * kSample;
}

// Merges the ranks of a pair's left samples with those of its right ones, both of which ascend.
extern "C" __global__ void merge_ranks(const int* ranks, int* limits, int run, int samples) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= samples / 2) return;
  const int run_samples = run / kSample;
  const int place = thread & (run_samples - 1);
  const int pair = 2 * (thread - place);
  const unsigned* left = reinterpret_cast<const unsigned*>(ranks) + pair;
  const unsigned* right = left + run_samples;
  const unsigned left_rank = left[place];
  const unsigned right_rank = right[place];
  limits[pair + place + Rank(left_rank, right, run_samples, false)] = left_rank;
  limits[pair + place + Rank(right_rank, left, run_samples, true)] = right_rank;
}

extern "C" __global__ void merge_intervals(const unsigned* in_keys, const unsigned* in_values,
                                           unsigned* out_keys, unsigned* out_values,
                                           const int* left_limits, const int* right_limits,
                                           int run) {
  __shared__ unsigned left_keys[kSample];
  __shared__ unsigned left_values[kSample];
  __shared__ unsigned right_keys[kSample];
  __shared__ unsigned right_values[kSample];
  __shared__ unsigned merged_keys[2 * kSample];
  __shared__ unsigned merged_values[2 * kSample];
  __shared__ int left_begin;
  __shared__ int right_begin;
  __shared__ int left_count;
  __shared__ int right_count;
  const int tx = threadIdx.x;
  const int interval = blockIdx.x & (2 * run / kSample - 1);
  const int pair = (blockIdx.x - interval) * kSample;

  if (tx == 0) {
    const bool last = interval + 1 == 2 * run / kSample;
    left_begin = left_limits[blockIdx.x];
    right_begin = right_limits[blockIdx.x];
    left_count = (last ? run : left_limits[blockIdx.x + 1]) - left_begin;
    right_count = (last ? run : right_limits[blockIdx.x + 1]) - right_begin;
  }
  __syncthreads();
  const bool has_left = tx < left_count;
  const bool has_right = tx < right_count;
  if (has_left) {
    left_keys[tx] = in_keys[pair + left_begin + tx];
    left_values[tx] = in_values[pair + left_begin + tx];
  }
  if (has_right) {
    right_keys[tx] = in_keys[pair + run + right_begin + tx];
    right_values[tx] = in_values[pair + run + right_begin + tx];
  }
  __syncthreads();
  if (has_left) {
    const int rank = tx + Rank(left_keys[tx], right_keys, right_count, false);
    merged_keys[rank] = left_keys[tx];
    merged_values[rank] = left_values[tx];
  }
  if (has_right) {
    const int rank = tx + Rank(right_keys[tx], left_keys, left_count, true);
    merged_keys[rank] = right_keys[tx];
    merged_values[rank] = right_values[tx];
  }
  __syncthreads();
  const int begin = pair + left_begin + right_begin;
  for (int i = tx; i < left_count + right_count; i += kSample) {
    out_keys[begin + i] = merged_keys[i];
    out_values[begin + i] = merged_values[i];
  }
}
