// Arithmetic, conversions, atomics and memory forms, one kernel per family.
extern "C" __global__ void integers(int* a, unsigned* b, long long* c, unsigned long long* d, short* e, unsigned short* f, signed char* g) {
  int i = threadIdx.x;
  a[i] = (a[i] % 7) + (a[i] / 3) + (a[i] << (i & 7)) + (a[i] >> 2) + (a[i] > 0 ? a[i] : -a[i]);
  b[i] = (b[i] % 7u) + (b[i] / b[i + 1]) + (b[i] >> 3) + (b[i] ^ 0x55u) + (~b[i] & 0xFF) + (b[i] | 9u);
  c[i] = c[i] * c[i + 1] + (c[i] % c[i + 2]) + (c[i] < 0 ? -c[i] : c[i]);
  d[i] = d[i] / d[i + 1] + (d[i] >> 17) + (unsigned long long)b[i] * b[i + 1];
  e[i] = (short)(e[i] * e[i + 1] + e[i + 2]);
  f[i] = (unsigned short)(f[i] / 3 + f[i + 1] % 5);
  g[i] = (signed char)(g[i] + e[i] + a[i]);
  a[i + 1] = (int)(((long long)a[i] * a[i + 2]) >> 32);
  a[i + 3] = a[i] < a[i + 1] ? a[i] : a[i + 1];
  b[i + 3] = __builtin_clz(b[i]) + __builtin_popcount(b[i + 1]);
}
extern "C" __global__ void floats(float* x, double* y, int* n) {
  int i = threadIdx.x;
  float v = x[i];
  double w = y[i];
  x[i + 1] = v * v - 3.0f / v + (v < 0 ? -v : v) + (float)n[i];
  y[i + 1] = w * w - 3.0 / w + (double)v + (double)n[i + 1] + (w > 2.5 ? w : 0.125);
  n[i + 2] = (int)v + (int)w + (v != v) + (v >= x[i + 2] || w == y[i + 3]);
  x[i + 3] = (float)w + (float)(unsigned)n[i] + (float)(long long)n[i + 4];
  y[i + 4] = (double)(unsigned long long)n[i];
}
struct alignas(8) Pair { float a, b; };
struct alignas(4) Four { unsigned char a, b, c, d; };
extern "C" __global__ void vectors(Pair* p, Four* q, volatile float* v, const unsigned long long* __restrict__ r, unsigned long long* o) {
  int i = threadIdx.x;
  Pair t = p[i];
  Four u = q[i];
  t.a += t.b; p[i + 1] = t;
  u.a = (unsigned char)(u.a + u.d); q[i + 1] = u;
  v[i] = v[i + 1] * 2;
  o[i] = r[i] + r[i + 9];
}
extern "C" __global__ void logic(const int* a, const int* b, int* o, bool f) {
  int i = threadIdx.x;
  bool p = a[i] > 3, q = b[i] < 9, r = a[i] == b[i + 1];
  o[i] = (p && q) || (r != f) ? 1 : 0;
  if ((p ^ q) && !r) o[i + 1] = 4;
  while (o[i] < 100) { o[i] += a[i]; if (o[i] == 50) continue; if (o[i] == 60) return; o[i + 1]++; }
}
