// Elements of matrices in the registers of a warp, and sums of their products.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_

#include <array>
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

// Of A (rows, k): registers go down by 8 rows first, then right by a group of columns.
inline FragmentPlace PlaceInA(uint32_t row, uint32_t column, uint32_t rows, uint32_t per) {
  const uint32_t group = 4 * per;  // columns that the four lanes of a row have in one register
  return {row % 8 * 4 + column % group / per,
          (rows == 16 ? row / 8 : 0) + column / group * (rows / 8), column % per};
}
// Of B (k, columns): registers go down by a group of rows.
inline FragmentPlace PlaceInB(uint32_t row, uint32_t column, uint32_t per) {
  const uint32_t group = 4 * per;
  return {column * 4 + row % group / per, row / group, row % per};
}
// Of C and D: two neighbours each; `per` of them in a register.
inline FragmentPlace PlaceInC(uint32_t row, uint32_t column, uint32_t per) {
  const uint32_t element = row / 8 * 2 + column % 2;
  return {row % 8 * 4 + column / 2, element / per, element % per};
}

// Element i of a register of whole numbers of so many bits.
inline int64_t WholePart(uint32_t word, Type type, uint32_t bits, uint32_t i) {
  const uint32_t part = word >> (bits * i) & ((1U << bits) - 1);
  const bool negative = ptx::IsSigned(type) && (part >> (bits - 1) & 1) != 0;
  return int64_t{part} - (negative ? int64_t{1} << bits : 0);
}

inline double ToDouble(uint64_t bits, Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kBf16:
    case Type::kE4m3:
    case Type::kE5m2:
    case Type::kE3m2:
    case Type::kE2m3:
    case Type::kE2m1Packed:
      return FromNarrow(static_cast<uint32_t>(bits), FormatOf(type));
    case Type::kE2m1:  // in the middle of its byte
      return FromNarrow(static_cast<uint32_t>(bits >> 2), FormatOf(type));
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

// D of an mma by element(row, column), its bits: all are made before any is written.
template <class Element>
void WriteSums(Context& c, const MatrixSlots& slots, Element element) {
  const MmaForm& form = *slots.form;
  std::array<std::array<uint64_t, kWarpSize>, 4> result = {};
  const uint32_t per = MmaForm::PerRegister(form.d);
  for (uint32_t row = 0; row < form.m; ++row) {
    for (uint32_t column = 0; column < form.n; ++column) {
      const FragmentPlace at = PlaceInC(row, column, per);
      const uint64_t value = element(row, column);
      result[at.reg][at.lane] |= per == 1 ? value : value << (16 * at.part);
    }
  }
  const uint32_t registers = MmaForm::Registers(form.d, form.ElementsOfC());
  for (uint32_t r = 0; r < registers; ++r) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if (form.d == Type::kF64) {
        Destination<uint64_t>(c, slots.d[r])[lane] = result[r][lane];
      } else {
        Destination<uint32_t>(c, slots.d[r])[lane] = static_cast<uint32_t>(result[r][lane]);
      }
    }
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FRAGMENT_H_
