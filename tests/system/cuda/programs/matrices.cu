// mma.h: products of all types against the host's, over layouts and shapes.
#include <mma.h>

#include "check.h"

using namespace nvcuda;

template <class F, class S, class T, class U, int M, int N, int K, class A, class B>
__global__ void multiply(const S* a, const S* b, const U* c, U* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, F, A> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, F, B> fb;
  wmma::fragment<wmma::accumulator, M, N, K, U> fc, fd;
  constexpr bool a_by_rows = sizeof(A*) && __is_same(A, wmma::row_major);
  constexpr bool b_by_rows = __is_same(B, wmma::row_major);
  wmma::load_matrix_sync(fa, a, a_by_rows ? K : M);
  wmma::load_matrix_sync(fb, b, b_by_rows ? N : K);
  wmma::load_matrix_sync(fc, c, M, wmma::mem_col_major);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + U(1);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, N, wmma::mem_row_major);
}

template <class F, class S, class U, int M, int N, int K, class A, class B>
void Try() {
  S *a, *b;
  U *c, *d;
  OK(cudaMallocManaged(&a, M * K * sizeof(S)));
  OK(cudaMallocManaged(&b, K * N * sizeof(S)));
  OK(cudaMallocManaged(&c, M * N * sizeof(U)));
  OK(cudaMallocManaged(&d, M * N * sizeof(U)));
  for (int i = 0; i < M * K; ++i) a[i] = S(i % 7);
  for (int i = 0; i < K * N; ++i) b[i] = S(i % 5);
  for (int i = 0; i < M * N; ++i) c[i] = U(i % 3);
  multiply<F, S, U, U, M, N, K, A, B><<<1, 32>>>(a, b, c, d);
  OK(cudaDeviceSynchronize());
  constexpr bool a_by_rows = __is_same(A, wmma::row_major),
                 b_by_rows = __is_same(B, wmma::row_major);
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      double sum = double((j * M + i) % 3) + 1;
      for (int k = 0; k < K; ++k) {
        sum += double((a_by_rows ? i * K + k : k * M + i) % 7) *
               double((b_by_rows ? k * N + j : j * K + k) % 5);
      }
      CHECK(double(d[i * N + j]) == sum);
    }
  }
}

template <class F, class S, class U, int M, int N, int K>
void TryLayouts() {
  Try<F, S, U, M, N, K, wmma::row_major, wmma::row_major>();
  Try<F, S, U, M, N, K, wmma::row_major, wmma::col_major>();
  Try<F, S, U, M, N, K, wmma::col_major, wmma::col_major>();
}

__global__ void bits(const int* a, const int* b, int* d, bool by_and) {
  namespace e = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, e::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, e::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> f;
  wmma::fill_fragment(f, 0);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(f, fa, fb, f, by_and ? e::bmmaBitOpAND : e::bmmaBitOpXOR);
  wmma::store_matrix_sync(d, f, 8, wmma::mem_row_major);
}

int main() {
  TryLayouts<half, half, float, 16, 16, 16>();
  TryLayouts<half, half, float, 32, 8, 16>();
  TryLayouts<half, half, half, 8, 32, 16>();
  TryLayouts<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16>();
  TryLayouts<signed char, signed char, int, 16, 16, 16>();
  TryLayouts<unsigned char, unsigned char, int, 8, 32, 16>();
  TryLayouts<wmma::precision::tf32, float, float, 16, 16, 8>();
  TryLayouts<double, double, double, 8, 8, 4>();
  int *a, *b, *d;
  OK(cudaMallocManaged(&a, 128));
  OK(cudaMallocManaged(&b, 128));
  OK(cudaMallocManaged(&d, 256));
  for (int i = 0; i < 32; ++i) a[i] = 0x01234567 * (i + 1), b[i] = 0x089abcdf * (i + 3);
  for (const bool by_and : {false, true}) {
    bits<<<1, 32>>>(a, b, d, by_and);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
      int count = 0;
      for (int w = 0; w < 4; ++w) {
        const int x = a[i / 8 * 4 + w], y = b[i % 8 * 4 + w];
        count += __builtin_popcount(by_and ? x & y : x ^ y);
      }
      CHECK(d[i] == count);
    }
  }
  printf("matrices: good\n");
}
