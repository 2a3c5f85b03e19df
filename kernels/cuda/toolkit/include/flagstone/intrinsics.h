// Device functions of the CUDA C++ Programming Guide that clang's headers lack: address spaces,
// loads and stores with hints, match and reduce, dot products. SIMD in a word and DPX have headers
// of their own.
//
// They are inline PTX where an instruction does it, so that no target is too old for them.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INTRINSICS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INTRINSICS_H_

// Constants in `if` are C++17, which clang takes, with a warning, as an extension of all before.
#pragma clang system_header

#define FLAGSTONE_DEVICE __device__ static inline __attribute__((always_inline))

// Address spaces.
#define FLAGSTONE_SPACE(space, ptx, name)                                                       \
  FLAGSTONE_DEVICE size_t __cvta_generic_to_##space(const void* p) {                            \
    size_t a;                                                                                   \
    asm("cvta.to." ptx ".u64 %0, %1;" : "=l"(a) : "l"(p));                                      \
    return a;                                                                                   \
  }                                                                                             \
  FLAGSTONE_DEVICE void* __cvta_##space##_to_generic(size_t a) {                                \
    void* p;                                                                                    \
    asm("cvta." ptx ".u64 %0, %1;" : "=l"(p) : "l"(a));                                         \
    return p;                                                                                   \
  }                                                                                             \
  FLAGSTONE_DEVICE unsigned __is##name(const void* p) {                                         \
    unsigned is;                                                                                \
    asm("{ .reg .pred q; isspacep." ptx " q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(is) : "l"(p)); \
    return is;                                                                                  \
  }
FLAGSTONE_SPACE(global, "global", Global)
FLAGSTONE_SPACE(shared, "shared", Shared)
FLAGSTONE_SPACE(constant, "const", Constant)
FLAGSTONE_SPACE(local, "local", Local)
FLAGSTONE_SPACE(grid_constant, "param", GridConstant)
#undef FLAGSTONE_SPACE

// Loads and stores with hints, of whatever has 1, 2, 4, 8 or 16 bytes.
#define FLAGSTONE_LOAD(name, words)                                                        \
  template <class T>                                                                       \
  FLAGSTONE_DEVICE T name(const T* p) {                                                    \
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "1 to 16 bytes"); \
    T value;                                                                               \
    if constexpr (sizeof(T) == 1) {                                                        \
      unsigned bits;                                                                       \
      asm volatile("ld.global." words ".u8 %0, [%1];" : "=r"(bits) : "l"(p) : "memory");   \
      memcpy(&value, &bits, 1);                                                            \
    } else if constexpr (sizeof(T) == 2) {                                                 \
      unsigned short bits;                                                                 \
      asm volatile("ld.global." words ".u16 %0, [%1];" : "=h"(bits) : "l"(p) : "memory");  \
      memcpy(&value, &bits, 2);                                                            \
    } else if constexpr (sizeof(T) == 4) {                                                 \
      unsigned bits;                                                                       \
      asm volatile("ld.global." words ".u32 %0, [%1];" : "=r"(bits) : "l"(p) : "memory");  \
      memcpy(&value, &bits, 4);                                                            \
    } else if constexpr (sizeof(T) == 8) {                                                 \
      unsigned long long bits;                                                             \
      asm volatile("ld.global." words ".u64 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");  \
      memcpy(&value, &bits, 8);                                                            \
    } else {                                                                               \
      unsigned long long bits[2];                                                          \
      asm volatile("ld.global." words ".v2.u64 {%0, %1}, [%2];"                            \
                   : "=l"(bits[0]), "=l"(bits[1])                                          \
                   : "l"(p)                                                                \
                   : "memory");                                                            \
      memcpy(&value, bits, 16);                                                            \
    }                                                                                      \
    return value;                                                                          \
  }
FLAGSTONE_LOAD(__ldca, "ca")
FLAGSTONE_LOAD(__ldcg, "cg")
FLAGSTONE_LOAD(__ldcs, "cs")
FLAGSTONE_LOAD(__ldlu, "lu")
FLAGSTONE_LOAD(__ldcv, "cv")
#undef FLAGSTONE_LOAD
#define FLAGSTONE_STORE(name, words)                                                       \
  template <class T>                                                                       \
  FLAGSTONE_DEVICE void name(T* p, T value) {                                              \
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "1 to 16 bytes"); \
    if constexpr (sizeof(T) == 1) {                                                        \
      unsigned bits = 0;                                                                   \
      memcpy(&bits, &value, 1);                                                            \
      asm volatile("st.global." words ".u8 [%0], %1;" ::"l"(p), "r"(bits) : "memory");     \
    } else if constexpr (sizeof(T) == 2) {                                                 \
      unsigned short bits;                                                                 \
      memcpy(&bits, &value, 2);                                                            \
      asm volatile("st.global." words ".u16 [%0], %1;" ::"l"(p), "h"(bits) : "memory");    \
    } else if constexpr (sizeof(T) == 4) {                                                 \
      unsigned bits;                                                                       \
      memcpy(&bits, &value, 4);                                                            \
      asm volatile("st.global." words ".u32 [%0], %1;" ::"l"(p), "r"(bits) : "memory");    \
    } else if constexpr (sizeof(T) == 8) {                                                 \
      unsigned long long bits;                                                             \
      memcpy(&bits, &value, 8);                                                            \
      asm volatile("st.global." words ".u64 [%0], %1;" ::"l"(p), "l"(bits) : "memory");    \
    } else {                                                                               \
      unsigned long long bits[2];                                                          \
      memcpy(bits, &value, 16);                                                            \
      asm volatile("st.global." words ".v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(bits[0]),    \
                   "l"(bits[1])                                                            \
                   : "memory");                                                            \
    }                                                                                      \
  }
FLAGSTONE_STORE(__stwb, "wb")
FLAGSTONE_STORE(__stcg, "cg")
FLAGSTONE_STORE(__stcs, "cs")
FLAGSTONE_STORE(__stwt, "wt")
#undef FLAGSTONE_STORE

// Lanes that hold the same value.
template <class T>
FLAGSTONE_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");
  unsigned same;
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(bits), "r"(mask));
  } else {
    unsigned long long bits;
    memcpy(&bits, &value, 8);
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(same) : "l"(bits), "r"(mask));
  }
  return same;
}
template <class T>
FLAGSTONE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* all) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");
  unsigned same;
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %2, %3; selp.s32 %1, 1, 0, q; }"
                 : "=r"(same), "=r"(*all)
                 : "r"(bits), "r"(mask));
  } else {
    unsigned long long bits;
    memcpy(&bits, &value, 8);
    asm volatile("{ .reg .pred q; match.all.sync.b64 %0|q, %2, %3; selp.s32 %1, 1, 0, q; }"
                 : "=r"(same), "=r"(*all)
                 : "l"(bits), "r"(mask));
  }
  return same;
}
#define FLAGSTONE_REDUCE(name, type, word)                                                  \
  FLAGSTONE_DEVICE type __reduce_##name##_sync(unsigned mask, type value) {                 \
    type result;                                                                            \
    asm volatile("redux.sync." word " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                          \
  }
FLAGSTONE_REDUCE(add, int, "add.s32")
FLAGSTONE_REDUCE(add, unsigned, "add.u32")
FLAGSTONE_REDUCE(min, int, "min.s32")
FLAGSTONE_REDUCE(min, unsigned, "min.u32")
FLAGSTONE_REDUCE(max, int, "max.s32")
FLAGSTONE_REDUCE(max, unsigned, "max.u32")
FLAGSTONE_REDUCE(and, unsigned, "and.b32")
FLAGSTONE_REDUCE(or, unsigned, "or.b32")
FLAGSTONE_REDUCE(xor, unsigned, "xor.b32")
#undef FLAGSTONE_REDUCE

// Dot products of bytes, and of two halves with two bytes.
#define FLAGSTONE_DOT(a_type, b_type, type, a4, b4, a2, b2)                       \
  FLAGSTONE_DEVICE type __dp4a(a_type a, b_type b, type c) {                      \
    type d;                                                                       \
    unsigned x, y;                                                                \
    memcpy(&x, &a, 4);                                                            \
    memcpy(&y, &b, 4);                                                            \
    asm("dp4a." a4 "." b4 " %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(c)); \
    return d;                                                                     \
  }
FLAGSTONE_DOT(int, int, int, "s32", "s32", , )
FLAGSTONE_DOT(unsigned, unsigned, unsigned, "u32", "u32", , )
FLAGSTONE_DOT(char4, char4, int, "s32", "s32", , )
FLAGSTONE_DOT(uchar4, uchar4, unsigned, "u32", "u32", , )
#undef FLAGSTONE_DOT
#define FLAGSTONE_DOT(part, a_type, b_type, type, word)                                \
  FLAGSTONE_DEVICE type __dp2a_##part(a_type a, b_type b, type c) {                    \
    type d;                                                                            \
    unsigned x, y;                                                                     \
    memcpy(&x, &a, 4);                                                                 \
    memcpy(&y, &b, 4);                                                                 \
    asm("dp2a." #part "." word " %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(c)); \
    return d;                                                                          \
  }
FLAGSTONE_DOT(lo, int, int, int, "s32.s32")
FLAGSTONE_DOT(hi, int, int, int, "s32.s32")
FLAGSTONE_DOT(lo, unsigned, unsigned, unsigned, "u32.u32")
FLAGSTONE_DOT(hi, unsigned, unsigned, unsigned, "u32.u32")
FLAGSTONE_DOT(lo, short2, char4, int, "s32.s32")
FLAGSTONE_DOT(hi, short2, char4, int, "s32.s32")
FLAGSTONE_DOT(lo, ushort2, uchar4, unsigned, "u32.u32")
FLAGSTONE_DOT(hi, ushort2, uchar4, unsigned, "u32.u32")
#undef FLAGSTONE_DOT

FLAGSTONE_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
#undef __prof_trigger
#define __prof_trigger(counter) ((void)0)

FLAGSTONE_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short expected,
                                          unsigned short v) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(p), "h"(expected), "h"(v)
               : "memory");
  return old;
}

#undef FLAGSTONE_DEVICE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INTRINSICS_H_
