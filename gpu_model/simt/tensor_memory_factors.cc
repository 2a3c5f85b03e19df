#include "gpu_model/simt/tensor_memory_factors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "gpu_model/simt/handlers/fragment.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/matrix_descriptor.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint32_t kTileRows = ProductTile<float>::kRows;

// Elements of a byte and less, by their bits.
using ByteValues = std::array<float, 256>;
ByteValues ValuesOf(Type type) {
  ByteValues values;
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(FromNarrow(i, FormatOf(type)));
  }
  return values;
}

// Converts elements of one type.
class FloatElement {
 public:
  explicit FloatElement(Type type) : type_(type) {
    if (ElementBits(type) <= 8) bytes_ = ValuesOf(type);
  }
  float operator()(uint32_t bits) const {
    switch (type_) {
      case Type::kF16:
        return static_cast<float>(FromNarrow(bits, FormatOf(Type::kF16)));
      case Type::kBf16:
        return std::bit_cast<float>(bits << 16);
      case Type::kTf32:  // the low bits are not read
        return std::bit_cast<float>(bits & 0xffffe000);
      default:
        return bytes_[bits];
    }
  }

 private:
  Type type_;
  ByteValues bytes_ = {};
};

struct IntegerElement {
  Type type;
  int32_t operator()(uint32_t bits) const {
    return type == Type::kS8 ? int32_t{static_cast<int8_t>(bits)} : static_cast<int32_t>(bits);
  }
};

// Element i of a unit of 16 bytes: elements below a byte are packed into its first bytes.
uint32_t ElementOf(const std::array<uint32_t, 5>& words, uint32_t bits, uint32_t i) {
  const uint32_t at = bits * i;
  const uint64_t pair = words[at / 32] | uint64_t{words[at / 32 + 1]} << 32;
  return static_cast<uint32_t>(pair >> (at % 32) & ((uint64_t{1} << bits) - 1));
}

// Calls put(row, k, bits) for the elements in the units.
template <class Put>
void ForEachElement(const Context& c, const MatrixUnits& units, Type type, bool transposed,
                    uint32_t depth, Put put) {
  const uint32_t bits = ElementBits(type);
  const uint32_t per_unit = 8 * MatrixDescriptor::kUnit / std::max(bits, 8U);
  for (uint32_t unit = 0; unit < units.count; ++unit) {
    std::array<uint32_t, 5> words = {};
    std::memcpy(words.data(), c.shared.origin + units.at[unit], MatrixDescriptor::kUnit);
    for (uint32_t i = 0; i < per_unit; ++i) {
      const uint32_t element = ElementOf(words, bits, i);
      if (transposed) {
        put(unit / depth * per_unit + i, unit % depth, element);
      } else {
        put(unit / 2, unit % 2 * per_unit + i, element);
      }
    }
  }
}

// An element of A in tensor memory; those below a byte as mma.sync has them (assumption).
uint32_t ElementInMemory(TensorMemory& memory, const TensorProduct& product, uint32_t row,
                         uint32_t k) {
  const uint32_t bits = product.of.ContainerBits();
  const uint32_t per = 32 / bits;
  const uint32_t lane = product.of.m == 64 ? product.a.lane + row / 16 * 32 + row % 16 : row;
  const uint32_t word = memory.Column(product.a.column + k / per)[lane] >> (bits * (k % per));
  switch (product.of.a) {
    case Type::kE2m1:
      return word >> 2 & 0xf;
    case Type::kE2m3:
    case Type::kE3m2:
      return word & 0x3f;
    default:
      return bits == 32 ? word : word & ((1U << bits) - 1);
  }
}

// All of A, by rows.
template <class T, class Convert>
std::vector<T> RowsOfA(const TensorMemoryAccess& access, const TensorProduct& product,
                       Convert convert) {
  const InstructionDescriptor& of = product.of;
  const uint32_t depth = of.Depth();
  std::vector<T> rows(size_t{of.m} * depth);
  const auto put = [&](uint32_t row, uint32_t k, uint32_t element) {
    const T value = convert(element);
    rows[row * depth + k] = of.negates_a ? -value : value;
  };
  if (!product.a_in_memory) {
    ForEachElement(access.c, product.a_units, of.a, of.transposes_a, depth, put);
    return rows;
  }
  for (uint32_t row = 0; row < of.m; ++row) {
    for (uint32_t k = 0; k < depth; ++k) {
      put(row, k, ElementInMemory(access.memory, product, row, k));
    }
  }
  return rows;
}

// Calls multiply(tile) for 16 rows after the other; sum(cell) is what a sum begins with, and
// keep(cell, sum) takes it back.
template <class T, class ConvertA, class ConvertB, class Multiply, class Begin, class End>
void ForEachTile(const TensorMemoryAccess& access, const TensorProduct& product, ConvertA convert_a,
                 ConvertB convert_b, Multiply multiply, Begin begin, End end) {
  const InstructionDescriptor& of = product.of;
  const std::vector<T> a = RowsOfA<T>(access, product, convert_a);
  ProductTile<T> tile;
  tile.columns = of.n;
  tile.depth = of.Depth();
  ForEachElement(access.c, product.b_units, of.b, of.transposes_b, tile.depth,
                 [&](uint32_t column, uint32_t k, uint32_t element) {
                   const T value = convert_b(element);
                   tile.b[k][column] = of.negates_b ? -value : value;
                 });
  for (uint32_t first = 0; first < of.m; first += kTileRows) {
    for (uint32_t row = 0; row < kTileRows; ++row) {
      const uint32_t lane = product.LaneOf(first + row);
      std::copy_n(a.data() + size_t{first + row} * tile.depth, tile.depth, tile.a[row].begin());
      for (uint32_t column = 0; column < of.n; ++column) {
        tile.sums[row][column] = begin(access.memory.Column(product.d.column + column)[lane]);
      }
    }
    multiply(tile);
    for (uint32_t row = 0; row < kTileRows; ++row) {
      const uint32_t lane = product.LaneOf(first + row);
      if (product.Stays(lane)) continue;
      for (uint32_t column = 0; column < of.n; ++column) {
        uint32_t& cell = access.memory.Column(product.d.column + column)[lane];
        cell = end(cell, tile.sums[row][column]);
      }
    }
  }
}

}  // namespace

void MultiplyFloatProduct(const TensorMemoryAccess& access, const TensorProduct& product) {
  const Type d = product.of.d;
  const float scale = std::ldexp(1.0F, -product.scale);
  ForEachTile<float>(
      access, product, FloatElement(product.of.a), FloatElement(product.of.b),
      Handlers().multiply_floats,
      [&](uint32_t cell) {
        if (!product.keeps) return 0.0F;
        const float sum = d == Type::kF16
                              ? static_cast<float>(FromNarrow(cell & 0xffff, FormatOf(d)))
                              : std::bit_cast<float>(cell);
        return sum * scale;
      },
      [&](uint32_t, float sum) { return static_cast<uint32_t>(SumBits(double{sum}, d)); });
}

// Sums of products fit 32 bits; what is there is added to them.
void MultiplyWholeProduct(const TensorMemoryAccess& access, const TensorProduct& product) {
  ForEachTile<int32_t>(
      access, product, IntegerElement{product.of.a}, IntegerElement{product.of.b},
      Handlers().multiply_integers, [](uint32_t) { return 0; },
      [&](uint32_t cell, int32_t products) {
        int64_t sum = int64_t{products} + (product.keeps ? static_cast<int32_t>(cell) : 0);
        if (product.of.saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
        return static_cast<uint32_t>(sum);
      });
}

}  // namespace flagstone::simt
