// Matrices of a warp (CUDA C++ Programming Guide, "Warp Matrix Functions"): fragments, loads,
// stores and products, each of them one instruction of PTX.
//
// How elements lie in a fragment is Flagstone's (docs/ptx.md); CUDA leaves it open.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_MMA_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_MMA_H_

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

#define FLAGSTONE_WMMA __device__ static inline __attribute__((always_inline))

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;
template <class T, int count>
struct FlagstoneElements {
  enum { num_elements = count, num_storage_elements = count };
  T x[count];
};

template <class Fragment, class T>
FLAGSTONE_WMMA void fill_fragment(Fragment& f, const T& value) {
  for (int i = 0; i < Fragment::num_elements; ++i) f.x[i] = value;
}
FLAGSTONE_WMMA float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

// Registers d[0], d[1], ... of an instruction: in its text, and as operands with a constraint.
#define FLAGSTONE_TEXT_1(v) "%[" #v "0]"
#define FLAGSTONE_TEXT_2(v) FLAGSTONE_TEXT_1(v) ", %[" #v "1]"
#define FLAGSTONE_TEXT_4(v) FLAGSTONE_TEXT_2(v) ", %[" #v "2], %[" #v "3]"
#define FLAGSTONE_TEXT_8(v) FLAGSTONE_TEXT_4(v) ", %[" #v "4], %[" #v "5], %[" #v "6], %[" #v "7]"
#define FLAGSTONE_NAMED(v) [v]
#define FLAGSTONE_REGS(v, c) FLAGSTONE_NAMED(v) c(v)
#define FLAGSTONE_REGS_1(v, c) FLAGSTONE_NAMED(v##0) c(v[0])
#define FLAGSTONE_REGS_2(v, c) FLAGSTONE_REGS_1(v, c), FLAGSTONE_NAMED(v##1) c(v[1])
#define FLAGSTONE_REGS_4(v, c) \
  FLAGSTONE_REGS_2(v, c), FLAGSTONE_NAMED(v##2) c(v[2]), FLAGSTONE_NAMED(v##3) c(v[3])
#define FLAGSTONE_REGS_8(v, c)                                                          \
  FLAGSTONE_REGS_4(v, c), FLAGSTONE_NAMED(v##4) c(v[4]), FLAGSTONE_NAMED(v##5) c(v[5]), \
      FLAGSTONE_NAMED(v##6) c(v[6]), FLAGSTONE_NAMED(v##7) c(v[7])

// A or B: `count` elements of a type in `regs` registers of type `word`, with constraint `c`.
#define FLAGSTONE_FACTOR(use, letter, m, n, k, T, Layout, layout, element, memory, ptx, count, \
                         regs, word, c)                                                        \
  template <>                                                                                  \
  class fragment<use, m, n, k, T, Layout> : public FlagstoneElements<element, count> {};       \
  FLAGSTONE_WMMA void load_matrix_sync(fragment<use, m, n, k, T, Layout>& f, const memory* p,  \
                                       unsigned step) {                                        \
    word d[regs];                                                                              \
    asm volatile("wmma.load." #letter ".sync.aligned." #layout ".m" #m "n" #n "k" #k "." ptx   \
                 " {" FLAGSTONE_TEXT_##regs(d) "}, [%[p]], %[step];"                           \
                 : FLAGSTONE_REGS_##regs(d, "=" c)                                             \
                 : FLAGSTONE_REGS(p, "l"), FLAGSTONE_REGS(step, "r")                           \
                 : "memory");                                                                  \
    memcpy(f.x, d, sizeof f.x);                                                                \
  }
#define FLAGSTONE_FACTORS(m, n, k, T, element, ptx, count_a, regs_a, count_b, regs_b, word, c) \
  FLAGSTONE_FACTOR(matrix_a, a, m, n, k, T, row_major, row, element, element, ptx, count_a,    \
                   regs_a, word, c)                                                            \
  FLAGSTONE_FACTOR(matrix_a, a, m, n, k, T, col_major, col, element, element, ptx, count_a,    \
                   regs_a, word, c)                                                            \
  FLAGSTONE_FACTOR(matrix_b, b, m, n, k, T, row_major, row, element, element, ptx, count_b,    \
                   regs_b, word, c)                                                            \
  FLAGSTONE_FACTOR(matrix_b, b, m, n, k, T, col_major, col, element, element, ptx, count_b,    \
                   regs_b, word, c)

// Sums: loads and stores, by rows or columns.
#define FLAGSTONE_SUM_ACCESS(m, n, k, T, layout, ptx, regs, word, c)                            \
  FLAGSTONE_WMMA void FlagstoneLoad_##layout(fragment<accumulator, m, n, k, T>& f, const T* p,  \
                                             unsigned step) {                                   \
    word d[regs];                                                                               \
    asm volatile("wmma.load.c.sync.aligned." #layout ".m" #m "n" #n "k" #k "." ptx              \
                 " {" FLAGSTONE_TEXT_##regs(d) "}, [%[p]], %[step];"                            \
                 : FLAGSTONE_REGS_##regs(d, "=" c)                                              \
                 : FLAGSTONE_REGS(p, "l"), FLAGSTONE_REGS(step, "r")                            \
                 : "memory");                                                                   \
    memcpy(f.x, d, sizeof f.x);                                                                 \
  }                                                                                             \
  FLAGSTONE_WMMA void FlagstoneStore_##layout(T* p, const fragment<accumulator, m, n, k, T>& f, \
                                              unsigned step) {                                  \
    word d[regs];                                                                               \
    memcpy(d, f.x, sizeof f.x);                                                                 \
    asm volatile("wmma.store.d.sync.aligned." #layout ".m" #m "n" #n "k" #k "." ptx             \
                 " [%[p]], {" FLAGSTONE_TEXT_##regs(d) "}, %[step];" ::FLAGSTONE_REGS(p, "l"),  \
                 FLAGSTONE_REGS(step, "r"), FLAGSTONE_REGS_##regs(d, c)                         \
                 : "memory");                                                                   \
  }
#define FLAGSTONE_SUM(m, n, k, T, ptx, count, regs, word, c)                       \
  template <>                                                                      \
  class fragment<accumulator, m, n, k, T> : public FlagstoneElements<T, count> {}; \
  FLAGSTONE_SUM_ACCESS(m, n, k, T, row, ptx, regs, word, c)                        \
  FLAGSTONE_SUM_ACCESS(m, n, k, T, col, ptx, regs, word, c)
template <int m, int n, int k, class T>
FLAGSTONE_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p,
                                     unsigned step, layout_t layout);
template <int m, int n, int k, class T>
FLAGSTONE_WMMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f,
                                      unsigned step, layout_t layout);

// D = A * B + C.
#define FLAGSTONE_PRODUCT(op, name, m, n, k, F, A, a_layout, B, b_layout, regs_a, regs_b, word,  \
                          fc, D, regs_d, word_d, dc, C, regs_c, word_c, cc, ptx)                 \
  FLAGSTONE_WMMA void name(fragment<accumulator, m, n, k, D>& to,                                \
                           const fragment<matrix_a, m, n, k, F, A>& from_a,                      \
                           const fragment<matrix_b, m, n, k, F, B>& from_b,                      \
                           const fragment<accumulator, m, n, k, C>& from_c) {                    \
    word a[regs_a], b[regs_b];                                                                   \
    word_d d[regs_d];                                                                            \
    word_c c[regs_c];                                                                            \
    memcpy(a, from_a.x, sizeof from_a.x);                                                        \
    memcpy(b, from_b.x, sizeof from_b.x);                                                        \
    memcpy(c, from_c.x, sizeof from_c.x);                                                        \
    asm volatile("wmma.mma" op ".sync.aligned." #a_layout "." #b_layout ".m" #m "n" #n "k" #k    \
                 "." ptx " {" FLAGSTONE_TEXT_##regs_d(d) "}, {" FLAGSTONE_TEXT_##regs_a(         \
                     a) "}, {" FLAGSTONE_TEXT_##regs_b(b) "}, {" FLAGSTONE_TEXT_##regs_c(c) "};" \
                 : FLAGSTONE_REGS_##regs_d(d, "=" dc)                                            \
                 : FLAGSTONE_REGS_##regs_a(a, fc), FLAGSTONE_REGS_##regs_b(b, fc),               \
                   FLAGSTONE_REGS_##regs_c(c, cc));                                              \
    memcpy(to.x, d, sizeof to.x);                                                                \
  }
#define FLAGSTONE_PRODUCTS(name, ...)                                  \
  FLAGSTONE_LAYOUTS(name, row_major, row, row_major, row, __VA_ARGS__) \
  FLAGSTONE_LAYOUTS(name, row_major, row, col_major, col, __VA_ARGS__) \
  FLAGSTONE_LAYOUTS(name, col_major, col, row_major, row, __VA_ARGS__) \
  FLAGSTONE_LAYOUTS(name, col_major, col, col_major, col, __VA_ARGS__)
#define FLAGSTONE_LAYOUTS(name, A, a_layout, B, b_layout, m, n, k, F, ...) \
  FLAGSTONE_PRODUCT("", name, m, n, k, F, A, a_layout, B, b_layout, __VA_ARGS__)

#define FLAGSTONE_WORDS unsigned, "r"
#define FLAGSTONE_INTEGERS(m, n, k, T, ptx, regs_a, regs_b)                                        \
  FLAGSTONE_EXPAND(FLAGSTONE_FACTORS, m, n, k, T, T, #ptx, 4 * regs_a, regs_a, 4 * regs_b, regs_b, \
                   FLAGSTONE_WORDS)                                                                \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, T, regs_a, regs_b, FLAGSTONE_WORDS, int, \
                   8, FLAGSTONE_WORDS, int, 8, FLAGSTONE_WORDS, "s32." #ptx "." #ptx ".s32")       \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, FlagstoneSaturated, m, n, k, T, regs_a, regs_b,             \
                   FLAGSTONE_WORDS, int, 8, FLAGSTONE_WORDS, int, 8, FLAGSTONE_WORDS,              \
                   "s32." #ptx "." #ptx ".s32.satfinite")
#define FLAGSTONE_EXPAND(macro, ...) macro(__VA_ARGS__)
#define FLAGSTONE_SHAPE(m, n, k, bf_a, bf_b, i_a, i_b)                                           \
  FLAGSTONE_EXPAND(FLAGSTONE_FACTORS, m, n, k, half, half, "f16", 16, 8, 16, 8, FLAGSTONE_WORDS) \
  FLAGSTONE_EXPAND(FLAGSTONE_SUM, m, n, k, half, "f16", 8, 4, FLAGSTONE_WORDS)                   \
  FLAGSTONE_EXPAND(FLAGSTONE_SUM, m, n, k, float, "f32", 8, 8, FLAGSTONE_WORDS)                  \
  FLAGSTONE_EXPAND(FLAGSTONE_SUM, m, n, k, int, "s32", 8, 8, FLAGSTONE_WORDS)                    \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, half, 8, 8, FLAGSTONE_WORDS, float, 8, \
                   FLAGSTONE_WORDS, float, 8, FLAGSTONE_WORDS, "f32.f32")                        \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, half, 8, 8, FLAGSTONE_WORDS, half, 4,  \
                   FLAGSTONE_WORDS, half, 4, FLAGSTONE_WORDS, "f16.f16")                         \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, half, 8, 8, FLAGSTONE_WORDS, float, 8, \
                   FLAGSTONE_WORDS, half, 4, FLAGSTONE_WORDS, "f32.f16")                         \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, half, 8, 8, FLAGSTONE_WORDS, half, 4,  \
                   FLAGSTONE_WORDS, float, 8, FLAGSTONE_WORDS, "f16.f32")                        \
  FLAGSTONE_EXPAND(FLAGSTONE_FACTORS, m, n, k, __nv_bfloat16, __nv_bfloat16, "bf16", 2 * bf_a,   \
                   bf_a, 2 * bf_b, bf_b, FLAGSTONE_WORDS)                                        \
  FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, m, n, k, __nv_bfloat16, bf_a, bf_b,             \
                   FLAGSTONE_WORDS, float, 8, FLAGSTONE_WORDS, float, 8, FLAGSTONE_WORDS,        \
                   "f32.bf16.bf16.f32")                                                          \
  FLAGSTONE_INTEGERS(m, n, k, signed char, s8, i_a, i_b)                                         \
  FLAGSTONE_INTEGERS(m, n, k, unsigned char, u8, i_a, i_b)
FLAGSTONE_SHAPE(16, 16, 16, 4, 4, 2, 2)
FLAGSTONE_SHAPE(32, 8, 16, 8, 2, 4, 1)
FLAGSTONE_SHAPE(8, 32, 16, 2, 8, 1, 4)

FLAGSTONE_EXPAND(FLAGSTONE_FACTORS, 16, 16, 8, precision::tf32, float, "tf32", 4, 4, 4, 4,
                 FLAGSTONE_WORDS)
FLAGSTONE_EXPAND(FLAGSTONE_SUM, 16, 16, 8, float, "f32", 8, 8, FLAGSTONE_WORDS)
FLAGSTONE_EXPAND(FLAGSTONE_PRODUCTS, mma_sync, 16, 16, 8, precision::tf32, 4, 4, FLAGSTONE_WORDS,
                 float, 8, FLAGSTONE_WORDS, float, 8, FLAGSTONE_WORDS, "f32.tf32.tf32.f32")
FLAGSTONE_FACTORS(8, 8, 4, double, double, "f64", 1, 1, 1, 1, double, "d")
FLAGSTONE_SUM(8, 8, 4, double, "f64", 2, 2, double, "d")
FLAGSTONE_PRODUCTS(mma_sync, 8, 8, 4, double, 1, 1, double, "d", double, 2, double, "d", double, 2,
                   double, "d", "f64.f64.f64.f64")

// Less than a byte: A by rows, B by columns.
#define FLAGSTONE_BELOW_BYTES(k, T, ptx)                                                        \
  FLAGSTONE_FACTOR(matrix_a, a, 8, 8, k, experimental::precision::T, row_major, row, int, void, \
                   ptx, 1, 1, unsigned, "r")                                                    \
  FLAGSTONE_FACTOR(matrix_b, b, 8, 8, k, experimental::precision::T, col_major, col, int, void, \
                   ptx, 1, 1, unsigned, "r")
FLAGSTONE_BELOW_BYTES(32, s4, "s4")
FLAGSTONE_BELOW_BYTES(32, u4, "u4")
FLAGSTONE_BELOW_BYTES(128, b1, "b1")
FLAGSTONE_SUM(8, 8, 32, int, "s32", 2, 2, unsigned, "r")
FLAGSTONE_SUM(8, 8, 128, int, "s32", 2, 2, unsigned, "r")
#define FLAGSTONE_NARROW_PRODUCT(op, name, k, T, ptx)                                              \
  FLAGSTONE_PRODUCT(op, name, 8, 8, k, experimental::precision::T, row_major, row, col_major, col, \
                    1, 1, unsigned, "r", int, 2, unsigned, "r", int, 2, unsigned, "r", ptx)
FLAGSTONE_NARROW_PRODUCT("", mma_sync, 32, s4, "s32.s4.s4.s32")
FLAGSTONE_NARROW_PRODUCT("", mma_sync, 32, u4, "s32.u4.u4.s32")
FLAGSTONE_NARROW_PRODUCT(".xor.popc", FlagstoneXor, 128, b1, "s32.b1.b1.s32")
FLAGSTONE_NARROW_PRODUCT(".and.popc", FlagstoneAnd, 128, b1, "s32.b1.b1.s32")

template <int m, int n, int k, class T>
FLAGSTONE_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p,
                                     unsigned step, layout_t layout) {
  if (layout == mem_row_major) {
    FlagstoneLoad_row(f, p, step);
  } else {
    FlagstoneLoad_col(f, p, step);
  }
}
template <int m, int n, int k, class T>
FLAGSTONE_WMMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f,
                                      unsigned step, layout_t layout) {
  if (layout == mem_row_major) {
    FlagstoneStore_row(p, f, step);
  } else {
    FlagstoneStore_col(p, f, step);
  }
}
// With the last argument of CUDA's; only products of integers saturate.
template <class D, class A, class B, class C>
FLAGSTONE_WMMA void mma_sync(D& d, const A& a, const B& b, const C& c, bool saturate) {
  if (saturate) {
    FlagstoneSaturated(d, a, b, c);
  } else {
    mma_sync(d, a, b, c);
  }
}
namespace experimental {
template <class D, class A, class B, class C>
FLAGSTONE_WMMA void bmma_sync(D& d, const A& a, const B& b, const C& c, bmmaBitOp op = bmmaBitOpXOR,
                              bmmaAccumulateOp = bmmaAccumulateOpPOPC) {
  if (op == bmmaBitOpXOR) {
    FlagstoneXor(d, a, b, c);
  } else {
    FlagstoneAnd(d, a, b, c);
  }
}
}  // namespace experimental
using experimental::bmma_sync;

}  // namespace wmma
}  // namespace nvcuda

#undef FLAGSTONE_BELOW_BYTES
#undef FLAGSTONE_FACTOR
#undef FLAGSTONE_FACTORS
#undef FLAGSTONE_INTEGERS
#undef FLAGSTONE_LAYOUTS
#undef FLAGSTONE_NARROW_PRODUCT
#undef FLAGSTONE_PRODUCT
#undef FLAGSTONE_PRODUCTS
#undef FLAGSTONE_SHAPE
#undef FLAGSTONE_SUM
#undef FLAGSTONE_SUM_ACCESS
#undef FLAGSTONE_WMMA
#undef FLAGSTONE_WORDS

#endif  // CUDA C++

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_MMA_H_
