// Complex Fourier transforms of 512 points in place, one per thread block of 64 threads: 512 = 8 x
// 8 x 8, so a thread holds 8 points in registers, and three rounds of 8-point transforms with
// exchanges in shared memory between them do the whole (Cooley and Tukey, radix 8). The rows of
// the exchange are 72 floats apart, which leaves no bank conflicts but a few of two.
constexpr int kThreads = 64;
constexpr int kPoints = 8 * kThreads;
constexpr int kRow = kThreads + 8;

// e^(-2 pi i turns / 512), the angle brought to -pi to pi, where the approximations are best.
__device__ static float2 Twiddle(int turns) {
  const int nearest = ((turns + kPoints / 2) & (kPoints - 1)) - kPoints / 2;
  const float angle = nearest * (-6.2831853071795865F / kPoints);
  return make_float2(cosf(angle), sinf(angle));
}

__device__ static float2 Product(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// a, b = a + b, a - b
__device__ static void Butterfly(float2* a, float2* b) {
  const float2 difference = make_float2(a->x - b->x, a->y - b->y);
  *a = make_float2(a->x + b->x, a->y + b->y);
  *b = difference;
}

// v[k] = sum over n of v[n] e^(-2 pi i n k / 8), by decimation in frequency.
__device__ static void Transform8(float2* v) {
  constexpr float kHalf = 0.70710678118654752F;  // cos(pi / 4)
  for (int i = 0; i < 4; ++i) Butterfly(&v[i], &v[i + 4]);
  v[5] = make_float2((v[5].x + v[5].y) * kHalf, (v[5].y - v[5].x) * kHalf);
  v[6] = make_float2(v[6].y, -v[6].x);
  v[7] = make_float2((v[7].y - v[7].x) * kHalf, (-v[7].x - v[7].y) * kHalf);
  for (int half = 0; half < 8; half += 4) {
    float2* w = v + half;
    Butterfly(&w[0], &w[2]);
    Butterfly(&w[1], &w[3]);
    w[3] = make_float2(w[3].y, -w[3].x);
    Butterfly(&w[0], &w[1]);
    Butterfly(&w[2], &w[3]);
  }
  // The results come with the bits of k reversed.
  float2 t = v[1];
  v[1] = v[4];
  v[4] = t;
  t = v[3];
  v[3] = v[6];
  v[6] = t;
}

// A thread's point i goes to row i at `to` and comes from `from` + i * `stride`; real parts first,
// so that one array of floats does for both.
__device__ static void Exchange(float* shared, float2* v, int to, int from, int stride) {
  for (int i = 0; i < 8; ++i) shared[i * kRow + to] = v[i].x;
  __syncthreads();
  for (int i = 0; i < 8; ++i) v[i].x = shared[from + i * stride];
  __syncthreads();
  for (int i = 0; i < 8; ++i) shared[i * kRow + to] = v[i].y;
  __syncthreads();
  for (int i = 0; i < 8; ++i) v[i].y = shared[from + i * stride];
}

extern "C" __global__ void fft512(float2* data) {
  __shared__ float shared[8 * kRow];
  const int thread = threadIdx.x;
  const int high = thread / 8;
  const int low = thread % 8;
  data += blockIdx.x * kPoints + thread;

  float2 v[8];
  for (int i = 0; i < 8; ++i) v[i] = data[i * kThreads];
  Transform8(v);
  for (int i = 1; i < 8; ++i) v[i] = Product(v[i], Twiddle(thread * i));
  Exchange(shared, v, thread, high * kRow + low, 8);
  Transform8(v);
  for (int i = 1; i < 8; ++i) v[i] = Product(v[i], Twiddle(8 * low * i));
  __syncthreads();
  Exchange(shared, v, high * 9 + low, high * kRow + low * 9, 1);
  Transform8(v);
  for (int i = 0; i < 8; ++i) data[i * kThreads] = v[i];
}
