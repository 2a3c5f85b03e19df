// Small kernels that make a compiler print the PTX forms that the parser has to read.
__constant__ float kTable[16] = {1.0f, 2.5f, -3.0f};
__device__ int counter = 7;
__device__ int* counter_pointers[3] = {&counter, nullptr, &counter};

struct alignas(16) Quad {
  float x, y, z, w;
};

struct Box {
  int rows, columns;
  double scale;
};

__device__ float Helper(float x) { return sqrtf(x) + 1.0f; }

extern "C" __global__ void early_return(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = Helper(a[i]) * kTable[i & 15];
}

extern "C" __global__ void nested_loops(const float* a, float* b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < m; ++k) {
      if (a[j * m + k] < 0.0f) break;
      sum += a[j * m + k] * a[i];
    }
    if (sum > 100.0f) sum = sum / 3.0f;
  }
  b[i] = sum;
}

extern "C" __global__ void switch_like(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = data[i];
  switch (v % 5) {
    case 0: v = v / n; break;
    case 1: v = v << 3; break;
    case 2: data[i + 1] = v; return;
    case 3: v ^= n; break;
    default: v = -v;
  }
  data[i] = v;
}

extern "C" __global__ void __launch_bounds__(256, 2) shared_memory(const float* a, float* b) {
  __shared__ float tile[256];
  extern __shared__ double dynamic[];
  tile[threadIdx.x] = a[threadIdx.x];
  dynamic[threadIdx.x] = a[threadIdx.x + 256];
  __syncthreads();
  b[threadIdx.x] = tile[255 - threadIdx.x] + (float)dynamic[255 - threadIdx.x];
}

extern "C" __global__ void by_value(Box box, unsigned char* bytes, short* halves) {
  int i = threadIdx.x + threadIdx.y * box.columns + threadIdx.z * box.rows;
  bytes[i] = (unsigned char)(halves[i] * box.scale);
  atomicAdd(&counter, i);
  *counter_pointers[i % 3] = i;
}

extern "C" __global__ void local_array(int* out, int n) {
  int scratch[32];
  for (int i = 0; i < 32; ++i) scratch[i] = out[i];
  for (int i = 0; i < n; ++i) scratch[(i * 7) & 31] += scratch[i & 31];
  out[threadIdx.x] = scratch[threadIdx.x & 31];
}

extern "C" __global__ void wide(const Quad* a, double* d, unsigned long long* q, int n) {
  int i = threadIdx.x;
  Quad v = a[i];
  d[i] = (double)v.x * v.y + v.z / v.w;
  q[i] = q[i] / (unsigned long long)n + __builtin_popcount(n) + (q[i] > 12 ? 5ull : q[n]);
}
