// A warp's 16 rows of a wgmma.mma_async (PTX ISA, sections 9.7.15.4 and 9.7.15.5): its factors out
// of shared memory or registers, its sums out of registers and back.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "gpu_model/simt/handlers/fragment.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/warpgroup.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Type;
using ptx::WgmmaForm;

constexpr uint32_t kWordsOfRow = WgmmaForm::kRowBytes / sizeof(uint32_t);

// Exponent and mantissa of f16 stand where f32 has them, 112 too low: so do subnormals.
float FromHalf(uint32_t bits) {
  const bool finite = (bits & 0x7c00) != 0x7c00;
  const float magnitude = finite ? std::bit_cast<float>((bits & 0x7fff) << 13) * 0x1p112F
                                 : std::bit_cast<float>(0x7f800000 | (bits & 0x3ff) << 13);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | (bits & 0x8000) << 16);
}

using Bytes = std::array<float, 256>;
Bytes AllBytes(Type type) {
  Bytes values;
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(FromNarrow(i, FormatOf(type)));
  }
  return values;
}

// An element of a factor, of its type's bits.
float FloatOf(Type type, uint32_t bits) {
  static const Bytes kBytesOfE4m3 = AllBytes(Type::kE4m3);
  static const Bytes kBytesOfE5m2 = AllBytes(Type::kE5m2);
  switch (type) {
    case Type::kF16:
      return FromHalf(bits);
    case Type::kBf16:
      return std::bit_cast<float>(bits << 16);
    case Type::kE4m3:
      return kBytesOfE4m3[bits];
    case Type::kE5m2:
      return kBytesOfE5m2[bits];
    default:  // tf32: the low bits are not read
      return std::bit_cast<float>(bits & 0xffffe000);
  }
}

int32_t IntegerOf(Type type, uint32_t bits) {
  return type == Type::kS8 ? int32_t{static_cast<int8_t>(bits)} : static_cast<int32_t>(bits);
}

// The words of the unit at an address of shared memory.
std::array<uint32_t, 4> UnitAt(const Context& c, uint32_t address) {
  std::array<uint32_t, 4> words;
  std::memcpy(words.data(), c.shared.origin + address, sizeof(words));
  return words;
}

// Calls put(row, k, bits) for the elements of so many bits in the units.
template <class Put>
void ForEachFactor(const Context& c, const MatrixUnits& units, uint32_t bits, bool transposed,
                   uint32_t depth, Put put) {
  const uint32_t per_word = 32 / bits;
  const uint32_t per_unit = 4 * per_word;
  const uint32_t mask = bits == 32 ? ~uint32_t{0} : (uint32_t{1} << bits) - 1;
  for (uint32_t unit = 0; unit < units.count; ++unit) {
    const std::array<uint32_t, 4> words = UnitAt(c, units.at[unit]);
    for (uint32_t i = 0; i < per_unit; ++i) {
      const uint32_t element = words[i / per_word] >> (bits * (i % per_word)) & mask;
      if (transposed) {
        put(unit / depth * per_unit + i, unit % depth, element);
      } else {
        put(unit / 2, unit % 2 * per_unit + i, element);
      }
    }
  }
}

// The same of A in registers, which lies as that of mma.m16n8k*.
template <class Put>
void ForEachInRegisters(const Context& c, const WarpgroupSlots& slots, uint32_t bits, Put put) {
  const uint32_t per = 32 / bits;
  const uint32_t mask = bits == 32 ? ~uint32_t{0} : (uint32_t{1} << bits) - 1;
  for (uint32_t reg = 0; reg < slots.a.size(); ++reg) {
    const uint32_t* const lanes = Source<uint32_t>(c, slots.a[reg]);
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      for (uint32_t i = 0; i < per; ++i) {
        put(lane / 4 + reg % 2 * 8, (reg / 2 * 4 + lane % 4) * per + i,
            lanes[lane] >> (bits * i) & mask);
      }
    }
  }
}

template <class T, class Convert>
void ReadFactors(const Context& c, const WarpgroupSlots& slots, const MatrixUnits& a,
                 const MatrixUnits& b, Convert convert, ProductTile<T>* tile) {
  const WgmmaForm& form = slots.form;
  const uint32_t bits = form.BitsOfElement();
  tile->columns = form.n;
  tile->depth = form.Depth();
  const auto put_a = [&](uint32_t row, uint32_t k, uint32_t element) {
    const T value = convert(form.a, element);
    tile->a[row][k] = slots.negates_a ? -value : value;
  };
  if (slots.a_in_registers) {
    ForEachInRegisters(c, slots, bits, put_a);
  } else {
    ForEachFactor(c, a, bits, slots.transposes_a, tile->depth, put_a);
  }
  ForEachFactor(c, b, bits, slots.transposes_b, tile->depth,
                [&](uint32_t column, uint32_t k, uint32_t element) {
                  const T value = convert(form.b, element);
                  tile->b[k][column] = slots.negates_b ? -value : value;
                });
}

// Where D's element lies: of f16 two neighbours of a row share a register.
FragmentPlace PlaceOfSum(uint32_t row, uint32_t column, uint32_t per) {
  const uint32_t element = column / 8 * 4 + row / 8 * 2 + column % 2;
  return {row % 8 * 4 + column % 8 / 2, element / per, element % per};
}

template <class Visit>
void ForEachSum(const WgmmaForm& form, Visit visit) {
  const uint32_t per = form.d == Type::kF16 ? 2 : 1;
  for (uint32_t row = 0; row < WgmmaForm::kRowsOfWarp; ++row) {
    for (uint32_t column = 0; column < form.n; ++column) {
      visit(row, column, PlaceOfSum(row, column, per));
    }
  }
}

void MultiplyFloatRows(Context& c, const WarpgroupSlots& slots, const MatrixUnits& a,
                       const MatrixUnits& b, bool keeps) {
  ProductTile<float> tile;
  const WgmmaForm& form = slots.form;
  ReadFactors(c, slots, a, b, FloatOf, &tile);
  const bool half = form.d == Type::kF16;
  ForEachSum(form, [&](uint32_t row, uint32_t column, const FragmentPlace& at) {
    const uint32_t word = Source<uint32_t>(c, slots.d[at.reg])[at.lane];
    const float sum = half ? FromHalf(word >> (16 * at.part) & 0xffff) : std::bit_cast<float>(word);
    tile.sums[row][column] = keeps ? sum : 0;
  });
  Handlers().multiply_floats(tile);
  ForEachSum(form, [&](uint32_t row, uint32_t column, const FragmentPlace& at) {
    const auto bits = static_cast<uint32_t>(SumBits(double{tile.sums[row][column]}, form.d));
    uint32_t& word = Destination<uint32_t>(c, slots.d[at.reg])[at.lane];
    word = !half ? bits : at.part == 0 ? (word & 0xffff0000) | bits : (word & 0xffff) | bits << 16;
  });
}

// Adds a sum of products, which 32 bits hold, to one that is there.
void AddWhole(Context& c, const WarpgroupSlots& slots, const FragmentPlace& at, int32_t products,
              bool keeps) {
  uint32_t& word = Destination<uint32_t>(c, slots.d[at.reg])[at.lane];
  int64_t sum = int64_t{products} + (keeps ? static_cast<int32_t>(word) : 0);
  if (slots.form.saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  word = static_cast<uint32_t>(sum);
}

void MultiplyWholeRows(Context& c, const WarpgroupSlots& slots, const MatrixUnits& a,
                       const MatrixUnits& b, bool keeps) {
  ProductTile<int32_t> tile;
  ReadFactors(c, slots, a, b, IntegerOf, &tile);
  for (auto& row : tile.sums) std::fill_n(row.begin(), slots.form.n, 0);
  Handlers().multiply_integers(tile);
  ForEachSum(slots.form, [&](uint32_t row, uint32_t column, const FragmentPlace& at) {
    AddWhole(c, slots, at, tile.sums[row][column], keeps);
  });
}

// Single bits: words of 32 of them.
void CountBits(Context& c, const WarpgroupSlots& slots, const MatrixUnits& a, const MatrixUnits& b,
               bool keeps) {
  std::array<std::array<uint32_t, kWordsOfRow>, WgmmaForm::kRowsOfWarp> rows;
  std::array<std::array<uint32_t, kWordsOfRow>, WgmmaForm::kMostColumns> columns;
  const auto put_a = [&](uint32_t row, uint32_t k, uint32_t word) { rows[row][k] = word; };
  if (slots.a_in_registers) {
    ForEachInRegisters(c, slots, 32, put_a);
  } else {
    ForEachFactor(c, a, 32, false, kWordsOfRow, put_a);
  }
  ForEachFactor(c, b, 32, false, kWordsOfRow,
                [&](uint32_t column, uint32_t k, uint32_t word) { columns[column][k] = word; });
  ForEachSum(slots.form, [&](uint32_t row, uint32_t column, const FragmentPlace& at) {
    int32_t count = 0;
    for (uint32_t k = 0; k < kWordsOfRow; ++k) {
      count += std::popcount(rows[row][k] & columns[column][k]);
    }
    AddWhole(c, slots, at, count, keeps);
  });
}

}  // namespace

void MultiplyWarp(Context& c, const WarpgroupSlots& slots, const MatrixUnits& a,
                  const MatrixUnits& b, bool keeps) {
  if (slots.form.a == Type::kB1) return CountBits(c, slots, a, b, keeps);
  if (slots.form.d == Type::kS32) return MultiplyWholeRows(c, slots, a, b, keeps);
  MultiplyFloatRows(c, slots, a, b, keeps);
}

}  // namespace flagstone::simt
