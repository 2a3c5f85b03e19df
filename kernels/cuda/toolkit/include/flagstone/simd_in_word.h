// SIMD in a word, two halves or four bytes: `__vadd2`, `__vmaxs4` and their like. clang's own are
// video instructions, which the ISA has for old devices.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SIMD_IN_WORD_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SIMD_IN_WORD_H_

#define FLAGSTONE_DEVICE __device__ static inline __attribute__((always_inline))

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

#undef FLAGSTONE_DEVICE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SIMD_IN_WORD_H_
