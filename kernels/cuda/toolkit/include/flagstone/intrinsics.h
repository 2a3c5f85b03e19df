// Device functions of the CUDA C++ Programming Guide that clang's headers lack: address spaces,
// loads and stores with hints, match and reduce, dot products, SIMD in a word, DPX.
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

// SIMD in a word: clang's own are video instructions, which the ISA has for old devices.

#define FLAGSTONE_HALVES(name, type, wide, expression)                     \
  FLAGSTONE_DEVICE unsigned Flagstone_##name##2(unsigned x, unsigned y) {  \
    unsigned result = 0;                                                   \
    for (int i = 0; i < 32; i += 16) {                                     \
      const wide a = (type##16)(x >> i), b = (type##16)(y >> i);           \
      constexpr wide lowest = type##16_lowest, highest = type##16_highest; \
      (void)lowest, (void)highest, (void)a, (void)b;                       \
      result |= ((unsigned)(expression)&0xffffu) << i;                     \
    }                                                                      \
    return result;                                                         \
  }                                                                        \
  FLAGSTONE_DEVICE unsigned Flagstone_##name##4(unsigned x, unsigned y) {  \
    unsigned result = 0;                                                   \
    for (int i = 0; i < 32; i += 8) {                                      \
      const wide a = (type##8)(x >> i), b = (type##8)(y >> i);             \
      constexpr wide lowest = type##8_lowest, highest = type##8_highest;   \
      (void)lowest, (void)highest, (void)a, (void)b;                       \
      result |= ((unsigned)(expression)&0xffu) << i;                       \
    }                                                                      \
    return result;                                                         \
  }
namespace flagstone_simd {
typedef short s16;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned char u8;
constexpr int s16_lowest = -32768, s16_highest = 32767, s8_lowest = -128, s8_highest = 127;
constexpr int u16_lowest = 0, u16_highest = 65535, u8_lowest = 0, u8_highest = 255;
FLAGSTONE_DEVICE int Clamp(int v, int lowest, int highest) {
  return v < lowest ? lowest : v > highest ? highest : v;
}
FLAGSTONE_HALVES(vadd, u, int, a + b)
FLAGSTONE_HALVES(vaddss, s, int, Clamp(a + b, lowest, highest))
FLAGSTONE_HALVES(vaddus, u, int, Clamp(a + b, lowest, highest))
FLAGSTONE_HALVES(vsub, u, int, a - b)
FLAGSTONE_HALVES(vsubss, s, int, Clamp(a - b, lowest, highest))
FLAGSTONE_HALVES(vsubus, u, int, Clamp(a - b, lowest, highest))
FLAGSTONE_HALVES(vavgs, s, int, (a + b + (a + b >= 0)) >> 1)
FLAGSTONE_HALVES(vavgu, u, int, (a + b + 1) >> 1)
FLAGSTONE_HALVES(vhaddu, u, int, (a + b) >> 1)
FLAGSTONE_HALVES(vmaxs, s, int, a > b ? a : b)
FLAGSTONE_HALVES(vmaxu, u, int, a > b ? a : b)
FLAGSTONE_HALVES(vmins, s, int, a < b ? a : b)
FLAGSTONE_HALVES(vminu, u, int, a < b ? a : b)
FLAGSTONE_HALVES(vabsdiffu, u, int, a > b ? a - b : b - a)
FLAGSTONE_HALVES(vabsdiffs, s, int, a > b ? a - b : b - a)
FLAGSTONE_HALVES(vcmpeq, u, int, a == b ? highest : 0)
FLAGSTONE_HALVES(vseteq, u, int, a == b)
FLAGSTONE_HALVES(vcmpne, u, int, a != b ? highest : 0)
FLAGSTONE_HALVES(vsetne, u, int, a != b)
FLAGSTONE_HALVES(vcmpgts, s, int, a > b ? -1 : 0)
FLAGSTONE_HALVES(vsetgts, s, int, a > b)
FLAGSTONE_HALVES(vcmpgtu, u, int, a > b ? -1 : 0)
FLAGSTONE_HALVES(vsetgtu, u, int, a > b)
FLAGSTONE_HALVES(vcmpges, s, int, a >= b ? -1 : 0)
FLAGSTONE_HALVES(vsetges, s, int, a >= b)
FLAGSTONE_HALVES(vcmpgeu, u, int, a >= b ? -1 : 0)
FLAGSTONE_HALVES(vsetgeu, u, int, a >= b)
FLAGSTONE_HALVES(vcmplts, s, int, a < b ? -1 : 0)
FLAGSTONE_HALVES(vsetlts, s, int, a < b)
FLAGSTONE_HALVES(vcmpltu, u, int, a < b ? -1 : 0)
FLAGSTONE_HALVES(vsetltu, u, int, a < b)
FLAGSTONE_HALVES(vcmples, s, int, a <= b ? -1 : 0)
FLAGSTONE_HALVES(vsetles, s, int, a <= b)
FLAGSTONE_HALVES(vcmpleu, u, int, a <= b ? -1 : 0)
FLAGSTONE_HALVES(vsetleu, u, int, a <= b)
FLAGSTONE_HALVES(vabs, s, int, a < 0 ? -a : a)
FLAGSTONE_HALVES(vabsss, s, int, Clamp(a < 0 ? -a : a, lowest, highest))
FLAGSTONE_HALVES(vneg, s, int, -a)
FLAGSTONE_HALVES(vnegss, s, int, Clamp(-a, lowest, highest))
}  // namespace flagstone_simd
#undef FLAGSTONE_HALVES
// Sums of absolute differences.
#define FLAGSTONE_SUM(name, diff, bits, parts)                             \
  FLAGSTONE_DEVICE unsigned Flagstone_##name(unsigned x, unsigned y) {     \
    const unsigned d = flagstone_simd::Flagstone_##diff(x, y);             \
    unsigned sum = 0;                                                      \
    for (int i = 0; i < 32; i += bits) sum += d >> i & ((1u << bits) - 1); \
    return sum;                                                            \
  }
FLAGSTONE_SUM(vsads2, vabsdiffs2, 16, 2)
FLAGSTONE_SUM(vsads4, vabsdiffs4, 8, 4)
FLAGSTONE_SUM(vsadu2, vabsdiffu2, 16, 2)
FLAGSTONE_SUM(vsadu4, vabsdiffu4, 8, 4)
#undef FLAGSTONE_SUM
#define __vadd2 flagstone_simd::Flagstone_vadd2
#define __vadd4 flagstone_simd::Flagstone_vadd4
#define __vaddss2 flagstone_simd::Flagstone_vaddss2
#define __vaddss4 flagstone_simd::Flagstone_vaddss4
#define __vaddus2 flagstone_simd::Flagstone_vaddus2
#define __vaddus4 flagstone_simd::Flagstone_vaddus4
#define __vsub2 flagstone_simd::Flagstone_vsub2
#define __vsub4 flagstone_simd::Flagstone_vsub4
#define __vsubss2 flagstone_simd::Flagstone_vsubss2
#define __vsubss4 flagstone_simd::Flagstone_vsubss4
#define __vsubus2 flagstone_simd::Flagstone_vsubus2
#define __vsubus4 flagstone_simd::Flagstone_vsubus4
#define __vavgs2 flagstone_simd::Flagstone_vavgs2
#define __vavgs4 flagstone_simd::Flagstone_vavgs4
#define __vavgu2 flagstone_simd::Flagstone_vavgu2
#define __vavgu4 flagstone_simd::Flagstone_vavgu4
#define __vhaddu2 flagstone_simd::Flagstone_vhaddu2
#define __vhaddu4 flagstone_simd::Flagstone_vhaddu4
#define __vmaxs2 flagstone_simd::Flagstone_vmaxs2
#define __vmaxs4 flagstone_simd::Flagstone_vmaxs4
#define __vmaxu2 flagstone_simd::Flagstone_vmaxu2
#define __vmaxu4 flagstone_simd::Flagstone_vmaxu4
#define __vmins2 flagstone_simd::Flagstone_vmins2
#define __vmins4 flagstone_simd::Flagstone_vmins4
#define __vminu2 flagstone_simd::Flagstone_vminu2
#define __vminu4 flagstone_simd::Flagstone_vminu4
#define __vabsdiffu2 flagstone_simd::Flagstone_vabsdiffu2
#define __vabsdiffu4 flagstone_simd::Flagstone_vabsdiffu4
#define __vabsdiffs2 flagstone_simd::Flagstone_vabsdiffs2
#define __vabsdiffs4 flagstone_simd::Flagstone_vabsdiffs4
#define __vcmpeq2 flagstone_simd::Flagstone_vcmpeq2
#define __vcmpeq4 flagstone_simd::Flagstone_vcmpeq4
#define __vseteq2 flagstone_simd::Flagstone_vseteq2
#define __vseteq4 flagstone_simd::Flagstone_vseteq4
#define __vcmpne2 flagstone_simd::Flagstone_vcmpne2
#define __vcmpne4 flagstone_simd::Flagstone_vcmpne4
#define __vsetne2 flagstone_simd::Flagstone_vsetne2
#define __vsetne4 flagstone_simd::Flagstone_vsetne4
#define __vcmpgts2 flagstone_simd::Flagstone_vcmpgts2
#define __vcmpgts4 flagstone_simd::Flagstone_vcmpgts4
#define __vsetgts2 flagstone_simd::Flagstone_vsetgts2
#define __vsetgts4 flagstone_simd::Flagstone_vsetgts4
#define __vcmpgtu2 flagstone_simd::Flagstone_vcmpgtu2
#define __vcmpgtu4 flagstone_simd::Flagstone_vcmpgtu4
#define __vsetgtu2 flagstone_simd::Flagstone_vsetgtu2
#define __vsetgtu4 flagstone_simd::Flagstone_vsetgtu4
#define __vcmpges2 flagstone_simd::Flagstone_vcmpges2
#define __vcmpges4 flagstone_simd::Flagstone_vcmpges4
#define __vsetges2 flagstone_simd::Flagstone_vsetges2
#define __vsetges4 flagstone_simd::Flagstone_vsetges4
#define __vcmpgeu2 flagstone_simd::Flagstone_vcmpgeu2
#define __vcmpgeu4 flagstone_simd::Flagstone_vcmpgeu4
#define __vsetgeu2 flagstone_simd::Flagstone_vsetgeu2
#define __vsetgeu4 flagstone_simd::Flagstone_vsetgeu4
#define __vcmplts2 flagstone_simd::Flagstone_vcmplts2
#define __vcmplts4 flagstone_simd::Flagstone_vcmplts4
#define __vsetlts2 flagstone_simd::Flagstone_vsetlts2
#define __vsetlts4 flagstone_simd::Flagstone_vsetlts4
#define __vcmpltu2 flagstone_simd::Flagstone_vcmpltu2
#define __vcmpltu4 flagstone_simd::Flagstone_vcmpltu4
#define __vsetltu2 flagstone_simd::Flagstone_vsetltu2
#define __vsetltu4 flagstone_simd::Flagstone_vsetltu4
#define __vcmples2 flagstone_simd::Flagstone_vcmples2
#define __vcmples4 flagstone_simd::Flagstone_vcmples4
#define __vsetles2 flagstone_simd::Flagstone_vsetles2
#define __vsetles4 flagstone_simd::Flagstone_vsetles4
#define __vcmpleu2 flagstone_simd::Flagstone_vcmpleu2
#define __vcmpleu4 flagstone_simd::Flagstone_vcmpleu4
#define __vsetleu2 flagstone_simd::Flagstone_vsetleu2
#define __vsetleu4 flagstone_simd::Flagstone_vsetleu4
#define __vabs2(x) flagstone_simd::Flagstone_vabs2(x, 0)
#define __vabs4(x) flagstone_simd::Flagstone_vabs4(x, 0)
#define __vabsss2(x) flagstone_simd::Flagstone_vabsss2(x, 0)
#define __vabsss4(x) flagstone_simd::Flagstone_vabsss4(x, 0)
#define __vneg2(x) flagstone_simd::Flagstone_vneg2(x, 0)
#define __vneg4(x) flagstone_simd::Flagstone_vneg4(x, 0)
#define __vnegss2(x) flagstone_simd::Flagstone_vnegss2(x, 0)
#define __vnegss4(x) flagstone_simd::Flagstone_vnegss4(x, 0)
#define __vsads2 Flagstone_vsads2
#define __vsads4 Flagstone_vsads4
#define __vsadu2 Flagstone_vsadu2
#define __vsadu4 Flagstone_vsadu4

// DPX: sums, and the largest and least of two and three, in a word or in halves.
#define FLAGSTONE_DPX(name, op)                                                              \
  FLAGSTONE_DEVICE int __vi##name##3_s32(int a, int b, int c) { return op(op(a, b), c); }    \
  FLAGSTONE_DEVICE unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c) {          \
    return op(op(a, b), c);                                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_s16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##name##s2(__v##name##s2(a, b), c);                                            \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_u16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##name##u2(__v##name##u2(a, b), c);                                            \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vi##name##3_s32_relu(int a, int b, int c) {                         \
    return max(op(op(a, b), c), 0);                                                          \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
    return __vmaxs2(__v##name##s2(__v##name##s2(a, b), c), 0);                               \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vi##name##_s32_relu(int a, int b) { return max(op(a, b), 0); }      \
  FLAGSTONE_DEVICE unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) {                \
    return __vmaxs2(__v##name##s2(a, b), 0);                                                 \
  }                                                                                          \
  FLAGSTONE_DEVICE int __viadd##name##_s32(int a, int b, int c) {                            \
    return op((int)((unsigned)a + (unsigned)b), c);                                          \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c) {        \
    return op(a + b, c);                                                                     \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_s16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##name##s2(__vadd2(a, b), c);                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_u16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##name##u2(__vadd2(a, b), c);                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE int __viadd##name##_s32_relu(int a, int b, int c) {                       \
    return max(__viadd##name##_s32(a, b, c), 0);                                             \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
    return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                                      \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vib##name##_s32(int a, int b, bool* first) {                        \
    *first = op(a, b) == a;                                                                  \
    return op(a, b);                                                                         \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vib##name##_u32(unsigned a, unsigned b, bool* first) {         \
    *first = op(a, b) == a;                                                                  \
    return op(a, b);                                                                         \
  }
FLAGSTONE_DPX(max, max)
FLAGSTONE_DPX(min, min)
#undef FLAGSTONE_DPX

#undef FLAGSTONE_DEVICE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INTRINSICS_H_
