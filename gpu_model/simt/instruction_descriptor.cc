#include "gpu_model/simt/instruction_descriptor.h"

#include <fmt/core.h>

#include <array>

namespace flagstone::simt {
namespace {

using ptx::Type;
using Kind = ptx::TensorMemoryKind;

uint32_t Field(uint32_t bits, uint32_t first, uint32_t count) {
  return bits >> first & ((1U << count) - 1);
}

// By the numbers of the ISA's table; kNone: a number that means nothing.
Type FactorType(uint32_t number, Kind kind) {
  using enum Type;
  constexpr std::array<Type, 8> kBytes = {kE4m3, kE5m2, kNone, kE2m3, kE3m2, kE2m1, kNone, kNone};
  switch (kind) {
    case Kind::kF16:
      return number == 0 ? kF16 : number == 1 ? kBf16 : kNone;
    case Kind::kTf32:
      return number == 2 ? kTf32 : kNone;
    case Kind::kF8f6f4:
      return kBytes[number];
    default:
      return number == 0 ? kU8 : number == 1 ? kS8 : kNone;
  }
}

Type SumType(uint32_t number, Kind kind) {
  const bool floats = kind != Kind::kI8;
  const bool half = kind == Kind::kF16 || kind == Kind::kF8f6f4;
  if (number == 0 && half) return Type::kF16;
  if (number == 1 && floats) return Type::kF32;
  return number == 2 && !floats ? Type::kS32 : Type::kNone;
}

std::string ProblemOfShape(const InstructionDescriptor& of, Kind kind) {
  if (of.m != 64 && of.m != InstructionDescriptor::kMostRows) {
    return fmt::format("{} rows, expected 64 or 128", of.m);
  }
  const bool whole = kind == Kind::kI8;
  const uint32_t step = whole && of.n > 32 ? 16 : 8;
  if (of.n == 0 || of.n > InstructionDescriptor::kMostColumns || of.n % step != 0) {
    return fmt::format("{} columns, expected a multiple of {} up to 256", of.n, step);
  }
  if (of.transposes_b && ElementBits(of.b) == 8 && of.n % 16 != 0) {
    return fmt::format("{} columns of transposed bytes, expected a multiple of 16", of.n);
  }
  for (const auto& [transposed, type] :
       {std::pair{of.transposes_a, of.a}, std::pair{of.transposes_b, of.b}}) {
    if (transposed && ElementBits(type) < 8) return "a transpose of elements below a byte";
  }
  return "";
}

}  // namespace

uint32_t ElementBits(Type type) {
  switch (type) {
    case Type::kTf32:
      return 32;
    case Type::kF16:
    case Type::kBf16:
      return 16;
    case Type::kE2m3:
    case Type::kE3m2:
      return 6;
    case Type::kE2m1:
      return 4;
    default:
      return 8;
  }
}

uint32_t InstructionDescriptor::ContainerBits() const {
  const uint32_t bits = ElementBits(a);
  return bits < 8 ? 8 : bits;
}

std::string ReadInstructionDescriptor(uint32_t bits, Kind kind, InstructionDescriptor* of) {
  constexpr uint32_t kReserved = 1U << 6 | 1U << 23 | 1U << 29;
  if (Field(bits, 2, 1) != 0) return "the bit of a sparse A, expected 0 without '.sp'";
  if (Field(bits, 0, 2) != 0) return "a sparsity selector, expected 0 without '.sp'";
  if (Field(bits, 30, 2) != 0) return "a shift of B, expected 0 without '.ws'";
  if ((bits & kReserved) != 0) {
    return fmt::format("bits {:#x}, which mean nothing, expected 0 there", bits & kReserved);
  }
  of->saturates = Field(bits, 3, 1) != 0;
  of->d = SumType(Field(bits, 4, 2), kind);
  of->a = FactorType(Field(bits, 7, 3), kind);
  of->b = FactorType(Field(bits, 10, 3), kind);
  of->negates_a = Field(bits, 13, 1) != 0;
  of->negates_b = Field(bits, 14, 1) != 0;
  of->transposes_a = Field(bits, 15, 1) != 0;
  of->transposes_b = Field(bits, 16, 1) != 0;
  of->n = 8 * Field(bits, 17, 6);
  of->m = 16 * Field(bits, 24, 5);
  const struct {
    const char* matrix;
    Type type;
    uint32_t number;
  } types[] = {{"D", of->d, Field(bits, 4, 2)},
               {"A", of->a, Field(bits, 7, 3)},
               {"B", of->b, Field(bits, 10, 3)}};
  for (const auto& [matrix, type, number] : types) {
    if (type != Type::kNone) continue;
    return fmt::format("type {} of {}, which this kind has not", number, matrix);
  }
  const bool whole = kind == Kind::kI8;
  if (of->saturates && !whole) return "saturation, which only '.kind::i8' has";
  if (whole && (of->negates_a || of->negates_b)) return "a sign, which '.kind::i8' has not";
  return ProblemOfShape(*of, kind);
}

}  // namespace flagstone::simt
