// setp, set and selp in all their forms against a host oracle (PTX ISA 9.7.6, 9.7.7).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/float_oracles.h"

namespace flagstone::conformance {
namespace compare_test {

using ptx::BooleanOp;
using ptx::Comparison;
using ptx::Opcode;
using ptx::Type;

Kind KindOfType(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return Kind::kU16;
    case Type::kS16:
      return Kind::kS16;
    case Type::kB32:
    case Type::kU32:
      return Kind::kU32;
    case Type::kS32:
      return Kind::kS32;
    case Type::kB64:
    case Type::kU64:
      return Kind::kU64;
    case Type::kS64:
      return Kind::kS64;
    case Type::kF32:
      return Kind::kF32;
    default:
      return Kind::kF64;
  }
}

// How two values lie to each other: each of the comparisons is a set of these.
enum Relation : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

unsigned Accepted(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEq:
      return kEqual;
    case Comparison::kNe:
      return kLess | kGreater;
    case Comparison::kLt:
    case Comparison::kLo:
      return kLess;
    case Comparison::kLe:
    case Comparison::kLs:
      return kLess | kEqual;
    case Comparison::kGt:
    case Comparison::kHi:
      return kGreater;
    case Comparison::kGe:
    case Comparison::kHs:
      return kGreater | kEqual;
    case Comparison::kEqu:
      return kEqual | kUnordered;
    case Comparison::kNeu:
      return kLess | kGreater | kUnordered;
    case Comparison::kLtu:
      return kLess | kUnordered;
    case Comparison::kLeu:
      return kLess | kEqual | kUnordered;
    case Comparison::kGtu:
      return kGreater | kUnordered;
    case Comparison::kGeu:
      return kGreater | kEqual | kUnordered;
    case Comparison::kNum:
      return kLess | kEqual | kGreater;
    default:
      return kUnordered;
  }
}

template <class T>
Relation Relate(T a, T b) {
  return a < b ? kLess : a > b ? kGreater : a == b ? kEqual : kUnordered;
}

Relation RelationOf(Type type, const ptx::Modifiers& m, uint64_t a, uint64_t b) {
  if (type == Type::kF64) return Relate(FromBits<double>(a), FromBits<double>(b));
  if (type == Type::kF32) {
    const float x = FromBits<float>(a), y = FromBits<float>(b);
    return m.flush_to_zero ? Relate(Flush(x), Flush(y)) : Relate(x, y);
  }
  // lo, ls, hi and hs compare without signs, whatever the type.
  const bool unsigned_only = m.comparison >= Comparison::kLo && m.comparison <= Comparison::kHs;
  if (!ptx::IsSigned(type) || unsigned_only) return Relate(a, b);
  const int unused = 64 - 8 * ptx::SizeInBytes(type);
  return Relate(static_cast<int64_t>(a << unused) >> unused,
                static_cast<int64_t>(b << unused) >> unused);
}

bool Holds(const ptx::Instruction& form, Type type, const Row& row) {
  const bool compared =
      (Accepted(form.modifiers.comparison) & RelationOf(type, form.modifiers, row[0], row[1])) != 0;
  switch (form.modifiers.boolean_op) {
    case BooleanOp::kAnd:
      return compared && row[2] != 0;
    case BooleanOp::kOr:
      return compared || row[2] != 0;
    case BooleanOp::kXor:
      return compared != (row[2] != 0);
    default:
      return compared;
  }
}

// Edges crossed, and a few of the random rows: there are many forms.
std::vector<Row> FewRows(const std::vector<Kind>& kinds, const std::string& text) {
  std::vector<Row> rows = Rows(kinds, SeedOf(text));
  rows.resize(rows.size() - 900);
  return rows;
}

void CheckForm(const Form& form, Type compared, Kind result, uint64_t if_true) {
  std::vector<Kind> kinds = {KindOfType(compared), KindOfType(compared)};
  std::string text = form.head + " {r}, {a}, {b}";
  if (form.instruction.modifiers.boolean_op != BooleanOp::kNone) {
    kinds.push_back(Kind::kPred);
    text += ", {c}";
  }
  Check(
      text + ";", result, kinds, FewRows(kinds, text),
      [&](const Row& row) { return Holds(form.instruction, compared, row) ? if_true : 0; },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

class CompareForms : public testing::TestWithParam<Type> {};

TEST_P(CompareForms, SetAPredicateByTheComparisonAndTheOperation) {
  for (const Form& form : FormsOf({Opcode::kSetp})) {
    if (form.instruction.type == GetParam()) CheckForm(form, GetParam(), Kind::kPred, 1);
  }
}

TEST_P(CompareForms, SetAllOnesOrOnePointZero) {
  for (const Form& form : FormsOf({Opcode::kSet})) {
    if (form.instruction.source_type != GetParam()) continue;
    switch (form.instruction.type) {
      case Type::kF32:
        CheckForm(form, GetParam(), Kind::kF32, 0x3f800000U);
        break;
      case Type::kF16:
        CheckForm(form, GetParam(), Kind::kU16, 0x3c00);
        break;
      case Type::kBf16:
        CheckForm(form, GetParam(), Kind::kU16, 0x3f80);
        break;
      default:
        CheckForm(form, GetParam(), Kind::kU32, 0xffffffffU);
    }
  }
}

TEST_P(CompareForms, SelectByAPredicate) {
  const Kind kind = KindOfType(GetParam());
  const std::string text =
      "selp." + std::string(ptx::ToString(GetParam())) + " {r}, {a}, {b}, {c};";
  const std::vector<Kind> kinds = {kind, kind, Kind::kPred};
  Check(
      text, kind, kinds, Rows(kinds, SeedOf(text)),
      [](const Row& row) { return row[2] != 0 ? row[0] : row[1]; },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}
INSTANTIATE_TEST_SUITE_P(Types, CompareForms,
                         testing::Values(Type::kB16, Type::kB32, Type::kB64, Type::kU16, Type::kU32,
                                         Type::kU64, Type::kS16, Type::kS32, Type::kS64, Type::kF32,
                                         Type::kF64),
                         [](const auto& type) { return std::string(ptx::ToString(type.param)); });

TEST(Setp, TakesANegatedPredicate) {
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.or.s32 {r}, {a}, {b}, !{c};",
                                         [](int32_t a, int32_t b, bool c) { return a < b || !c; });
}

TEST(Setp, GivesTheComplementToItsSecondDestination) {
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.and.s32 %p29|{r}, {a}, {b}, {c};",
                                         [](int32_t a, int32_t b, bool c) { return a >= b && c; });
}

}  // namespace compare_test
}  // namespace flagstone::conformance
