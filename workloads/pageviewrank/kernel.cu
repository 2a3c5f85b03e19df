// The map phase of ranking pages by their views, over a log of lines in slots of 64 bytes: a page's
// address, a dash, a number. One kernel finds the parts of each line; one sets out how many bytes a
// line's result takes; one turns these into places; and the mapper reads the number digit by digit
// and copies the address byte by byte to its place. Lines and results differ in length: what a
// thread reads, and how often, comes from the log.
constexpr int kSlot = 64;
constexpr int kLongestAddress = 52;
constexpr int kLongestNumber = 8;
constexpr int kScanThreads = 256;
constexpr char kDash = '-';

// directory[line] = start and length of the address, start and length of the number's field.
extern "C" __global__ void pageviewrank_split(const unsigned char* log, int4* directory, int lines) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  const int start = line * kSlot;
  int length = 0;
  while (length < kLongestAddress && log[start + length] != kDash) ++length;
  directory[line] = int4{start, length, start + length + 1, kLongestNumber};
}

extern "C" __global__ void pageviewrank_count(const int4* directory, int* sizes, int lines) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line < lines) sizes[line] = directory[line].y;
}

// places[line] = sum of the sizes before it. One block; a thread takes a run of lines.
extern "C" __global__ void pageviewrank_places(const int* sizes, int* places, int lines) {
  __shared__ int sums[kScanThreads];
  const int thread = threadIdx.x;
  const int run = (lines + kScanThreads - 1) / kScanThreads;
  const int begin = min(thread * run, lines);
  const int end = min(begin + run, lines);
  int sum = 0;
  for (int line = begin; line < end; ++line) sum += sizes[line];
  sums[thread] = sum;
  for (int distance = 1; distance < kScanThreads; distance *= 2) {
    __syncthreads();
    const int left = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += left;
  }
  int place = sums[thread] - sum;
  for (int line = begin; line < end; ++line) {
    places[line] = place;
    place += sizes[line];
  }
}

// Each thread maps `per_thread` lines, a block's width apart.
extern "C" __global__ void pageviewrank_map(const unsigned char* log, const int4* directory,
                                            const int* places, uint* views, unsigned char* pages, int lines,
                                            int per_thread) {
  const int first = blockIdx.x * blockDim.x * per_thread + threadIdx.x;
  for (int k = 0; k < per_thread; ++k) {
    const int line = first + k * blockDim.x;
    if (line >= lines) return;
    const int4 part = directory[line];
    uint number = 0;
    for (int i = 0; i < part.w; ++i) {
      const uint digit = log[part.z + i] - uint{'0'};
      if (digit > 9) break;
      number = number * 10 + digit;
    }
    views[line] = number;
    unsigned char* const page = pages + places[line];
    for (int i = 0; i < part.y; ++i) page[i] = log[part.x + i];
  }
}
