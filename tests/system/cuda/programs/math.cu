// Device math against the host's: libclc behind CUDA's names, within OpenCL's bounds.
#include <math.h>

#include "check.h"

__global__ void evaluate(const float* x, float* f, double* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i];
  float* const r = f + 8 * i;
  r[0] = sinf(a), r[1] = cosf(a), r[2] = expf(a), r[3] = logf(fabsf(a) + 1), r[4] = powf(2.5f, a);
  r[5] = sqrtf(fabsf(a)), r[6] = atan2f(a, 2.0f), r[7] = fmodf(a, 0.7f) + rintf(a);
  double* const s = d + 6 * i;
  s[0] = sin(double(a)), s[1] = exp(double(a)), s[2] = pow(1.5, double(a)), s[3] = tanh(double(a));
  s[4] = log(fabs(double(a)) + 0.25), s[5] = floor(double(a)) + fmax(double(a), 0.0);
}

// What CUDA has beside the C library.
__global__ void beside(double* r) {
  for (int i = 0; i < 40; ++i) {
    const double y = (i + 0.5) / 40;
    r[3 * i] = erfinv(2 * y - 1), r[3 * i + 1] = erfcinv(2 * y), r[3 * i + 2] = normcdfinv(y);
  }
  r[120] = erfcinv(1e-20), r[121] = normcdf(1.5), r[122] = erfinvf(0.25f);
}

static bool Near(double got, double expected, double bound) {
  return fabs(got - expected) <= bound * fmax(1.0, fabs(expected));
}

int main() {
  const int n = 200;
  float x[n], f[8 * n], *dx, *df;
  double d[6 * n], *dd;
  for (int i = 0; i < n; ++i) x[i] = (i - 100) * 0.113f;
  OK(cudaMalloc(&dx, sizeof x));
  OK(cudaMalloc(&df, sizeof f));
  OK(cudaMalloc(&dd, sizeof d));
  OK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
  evaluate<<<2, 128>>>(dx, df, dd, n);
  OK(cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const float a = x[i];
    const double b = a, e = 2e-6, z = 1e-14;
    const float* r = f + 8 * i;
    const double* s = d + 6 * i;
    CHECK(Near(r[0], sin(b), e) && Near(r[1], cos(b), e) && Near(r[2], exp(b), e));
    CHECK(Near(r[3], log(fabs(b) + 1), e) && Near(r[4], pow(2.5, b), 4 * e));
    CHECK(r[5] == sqrtf(fabsf(a)) && Near(r[6], atan2(b, 2.0), e));
    CHECK(r[7] == fmodf(a, 0.7f) + rintf(a));
    CHECK(Near(s[0], sin(b), z) && Near(s[1], exp(b), z) && Near(s[2], pow(1.5, b), z));
    CHECK(Near(s[3], tanh(b), z) && Near(s[4], log(fabs(b) + 0.25), z));
    CHECK(s[5] == floor(b) + fmax(b, 0.0));
  }

  double* r;
  OK(cudaMallocManaged(&r, 123 * sizeof(double)));
  beside<<<1, 1>>>(r);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 40; ++i) {
    const double y = (i + 0.5) / 40;
    CHECK(Near(erf(r[3 * i]), 2 * y - 1, 1e-14) && Near(erfc(r[3 * i + 1]), 2 * y, 1e-14));
    CHECK(Near(normcdf(r[3 * i + 2]), y, 1e-14));
    CHECK(Near(erfinv(2 * y - 1), r[3 * i], 1e-13) && Near(erfcinv(2 * y), r[3 * i + 1], 1e-13));
  }
  CHECK(fabs(erfc(r[120]) / 1e-20 - 1) < 1e-12 && Near(r[121], normcdf(1.5), 1e-14));
  CHECK(Near(erff(static_cast<float>(r[122])), 0.25, 1e-6) && erfcinv(0.0) > 1e300);
  CHECK(isnan(erfinv(1.5)) && sinpi(3.0) == 0 && cospif(1.0f) == -1 && cospi(2.5) == 0 &&
        sinpi(1e9 + 0.5) == 1);
  CHECK(Near(rcbrt(27.0), 1.0 / 3, 1e-15) && rhypotf(3, 4) == 0.2f && norm3d(2.0, 3.0, 6.0) == 7);
  CHECK(rsqrtf(4.0f) == 0.5f && rnorm3df(2, 3, 6) == 1 / 7.0f);
  puts("math: good");
}
