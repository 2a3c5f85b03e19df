// Device functions of the CUDA guide that need no library: address spaces, hints, match, reduce,
// dot products, SIMD in a word, DPX, 16-bit compare-and-swap.
#include "check.h"

__global__ void spaces(unsigned* out) {
  __shared__ int s[4];
  int own[4] = {5, 6, 7, 8};
  s[1] = 3;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&s[1]));
  int value;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(at));
  out[0] = value;
  out[1] = __isShared(s) && !__isGlobal(s) && __isGlobal(out) && __isLocal(own + out[9]);
  out[2] = __cvta_shared_to_generic(__cvta_generic_to_shared(s)) == s;
  out[3] = __cvta_generic_to_global(out) == reinterpret_cast<size_t>(out);
}

__global__ void lanes(unsigned* out, int* all) {
  const int lane = threadIdx.x;
  out[lane] = __match_any_sync(~0U, lane % 4);
  out[32 + lane] = __match_all_sync(~0U, 7ULL, &all[0]);
  out[64 + lane] = __match_all_sync(~0U, lane, &all[1]);
  out[96 + lane] = __reduce_add_sync(~0U, lane) + __reduce_max_sync(~0U, lane - 40) +
                   __reduce_xor_sync(~0U, static_cast<unsigned>(lane));
  __nanosleep(20);
}

template <class T>
__global__ void hints(const T* in, T* out) {
  __stwb(out, __ldca(in));
  __stcg(out + 1, __ldcg(in + 1));
  __stcs(out + 2, __ldcs(in + 2));
  __stwt(out + 3, __ldlu(in + 3));
  out[4] = __ldcv(in + 4);
}

__global__ void words(unsigned* out, unsigned short* cell) {
  out[0] = __dp4a(0x01020304, 0x01010101, 5);
  out[1] = __dp2a_lo(0x00020003, 0x01020304, 1);
  out[2] = __vadd2(0x00010002, 0x0003ffff);
  out[3] = __vmaxs4(0x80ff0102, 0x01020304);
  out[4] = __vcmpgtu2(0x00050001, 0x00030002);
  out[5] = __vsadu4(0x01020304, 0x04030201);
  out[6] = __vaddss2(0x7fff8000, 0x0001ffff);
  out[7] = __vabsdiffu4(0x01ff0010, 0x02000020);
  out[8] = __viaddmax_s32(3, -9, -5);
  out[9] = __vimax3_s16x2(0x0001fff0, 0x00020003, 0x0000fffe);
  bool first;
  out[10] = __vibmin_s32(4, 5, &first) + (first ? 100 : 0);
  out[11] = atomicCAS(cell, static_cast<unsigned short>(7), static_cast<unsigned short>(9));
  out[12] = __vseteq4(0x01020304, 0x01000300);
  out[13] = __vavgu4(0x00020406, 0x00010305);
  out[14] = __vimax3_u32(0xfffffff0U, 3, 4);
  out[15] = __viaddmin_u32(0xfffffff0U, 1, 5);
}

template <class T>
void TryHints() {
  T *in, *out;
  OK(cudaMallocManaged(&in, 5 * sizeof(T)));
  OK(cudaMallocManaged(&out, 5 * sizeof(T)));
  for (unsigned i = 0; i < 5 * sizeof(T); ++i) ((unsigned char*)in)[i] = 17 * i + 3;
  hints<<<1, 1>>>(in, out);
  OK(cudaDeviceSynchronize());
  CHECK(memcmp(in, out, 5 * sizeof(T)) == 0);
}

int main() {
  unsigned* out;
  int* all;
  unsigned short* cell;
  OK(cudaMallocManaged(&out, 512));
  OK(cudaMallocManaged(&all, 8));
  OK(cudaMallocManaged(&cell, 4));
  memset(out, 0, 512);
  spaces<<<1, 1>>>(out);
  OK(cudaDeviceSynchronize());
  CHECK(out[0] == 3 && out[1] == 1 && out[2] == 1 && out[3] == 1);
  lanes<<<1, 32>>>(out, all);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK(out[i] == 0x11111111U << i % 4);
    CHECK(out[32 + i] == ~0U && out[64 + i] == 0);
    CHECK(out[96 + i] == 496U - 9);
  }
  CHECK(all[0] == 1 && all[1] == 0);
  TryHints<char>();
  TryHints<short>();
  TryHints<float>();
  TryHints<double>();
  TryHints<int4>();
  cell[0] = 7;
  words<<<1, 1>>>(out, cell);
  OK(cudaDeviceSynchronize());
  const unsigned expected[] = {15,         19,         0x00040001,
                               0x01020304, 0xffff0000, 8,
                               0x7fff8000, 0x01ff0010, static_cast<unsigned>(-5),
                               0x00020003, 104,        7,
                               0x01000100, 0x00020406, 0xfffffff0U,
                               5};
  for (int i = 0; i < 16; ++i) CHECK(out[i] == expected[i]);
  CHECK(cell[0] == 9);
  printf("intrinsics: good\n");
}
