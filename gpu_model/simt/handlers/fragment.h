// Elements of matrices in the registers of a warp, and sums of their products.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_

#include <bit>
#include <cstdint>

#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"
#include "kernels/ptx/matrix_forms.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

using ptx::MmaForm;
using ptx::Type;

struct FragmentPlace {
  uint32_t lane = 0;
  uint32_t reg = 0;
  uint32_t part = 0;  // of the register
};

inline double ToDouble(uint64_t bits, Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kBf16:
    case Type::kE4m3:
    case Type::kE5m2:
      return FromNarrow(static_cast<uint32_t>(bits), FormatOf(type));
    case Type::kTf32:  // the low bits are not read
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) & 0xffffe000));
    case Type::kF32:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Type::kF64:
      return std::bit_cast<double>(bits);
    default:
      return 0;
  }
}

inline uint32_t PartBits(Type type) {
  return type == Type::kF64 ? 64 : 32 / MmaForm::PerRegister(type);
}

inline uint64_t Read(const Context& c, SlotId slot, const FragmentPlace& place, Type type) {
  if (type == Type::kF64) return Source<uint64_t>(c, slot)[place.lane];
  const uint32_t bits = PartBits(type);
  const uint32_t word = Source<uint32_t>(c, slot)[place.lane] >> (bits * place.part);
  return bits == 32 ? word : word & ((1U << bits) - 1);
}

// Products are exact and are added one after the other to C, in f32 each sum rounded; hardware adds
// them in an order and with a precision that are not documented.
inline double AddProduct(double a, double b, double sum) {
  return static_cast<double>(static_cast<float>(AddToOdd(a * b, sum)));
}

// A sum as an element of D.
inline uint64_t SumBits(double sum, Type type) {
  switch (type) {
    case Type::kF16:
      return ToNarrow(sum, FormatOf(Type::kF16), ptx::Rounding::kRn);
    case Type::kF32:
      return sum != sum ? 0x7fffffff : std::bit_cast<uint32_t>(static_cast<float>(sum));
    default:
      return sum != sum ? uint64_t{0xfff8000000000000} : std::bit_cast<uint64_t>(sum);
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_
