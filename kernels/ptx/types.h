// PTX's fundamental types and state spaces (PTX ISA, chapter 5).
#ifndef FLAGSTONE_KERNELS_PTX_TYPES_H_
#define FLAGSTONE_KERNELS_PTX_TYPES_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace flagstone::ptx {

enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kTf32,    // of cvt and mma only: 19 bits in a register of 32
  kE4m3x2,  // of cvt only, as the next ones: two floats of 8 bits
  kE5m2x2,
  kE2m1x2,   // in a byte
  kE2m3x2,   // of 6 bits, each in a byte
  kE3m2x2,   // the same
  kUe8m0x2,  // two powers of two
  kE4m3x4,   // four floats
  kE5m2x4,
  kE2m1x4,
  kE2m3x4,
  kE3m2x4,
  kF32x2,
  kF32,
  kF64,
  kU2,  // of cvt.pack and mma only, as the next four: less than a byte
  kS2,
  kU4,
  kS4,
  kB1,
  kE4m3,  // of mma only, as the next ones: a float of 8 bits
  kE5m2,
  kE3m2,        // of 6 bits, in a byte
  kE2m3,        // the same
  kE2m1,        // of 4 bits, in the middle of a byte
  kE2m1Packed,  // two of these in a byte; no word names it
  kU16x2,       // two integers in 32 bits, as the next one
  kS16x2,
  kTexref,
  kSamplerref,
  kSurfref,
};

enum class Space : uint8_t { kGeneric, kReg, kParam, kGlobal, kShared, kLocal, kConst, kTex };

int SizeInBytes(Type type);              // 0 for kNone, kPred, those below a byte, the opaque ones
bool IsOpaque(Type type);                // texref, samplerref, surfref
bool IsElementOnly(Type type);           // u2 .. s16x2: no variable and no register has it
bool IsSigned(Type type);                // s2 .. s64
bool IsFloat(Type type);                 // f16 .. f64
bool IsHalf(Type type);                  // f16, f16x2, bf16, bf16x2
bool IsPacked(Type type);                // two floats in one: f16x2, bf16x2, e4m3x2 .. ue8m0x2
bool IsPackedByFour(Type type);          // e4m3x4 .. e3m2x4
bool IsPackedInteger(Type type);         // u16x2, s16x2
std::string_view ToString(Type type);    // "f32"
std::string_view ToString(Space space);  // "global"
// Of the word without its dot; nothing where Flagstone has no such type or space.
std::optional<Type> ParseType(std::string_view name);    // "f32"; "texref" too
std::optional<Space> ParseSpace(std::string_view name);  // "global"; "shared::cta" is "shared"

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_TYPES_H_
