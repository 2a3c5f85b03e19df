// Fills from an input: what stands in a buffer for each of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/launch/element.h"
#include "kernels/launch/fill.h"
#include "kernels/launch/launch_check.h"

namespace flagstone {
namespace input_fill_test {

// Rows: 0 -> {}, 1 -> {0: 5, 2: -1}, 2 -> {1: 7}.
std::shared_ptr<const Input> Small(bool with_values = true) {
  return std::make_shared<const Input>(
      "m", FromElements(3, 3, {{2, 1, 7}, {1, 2, -1}, {1, 0, 5}}, with_values));
}

template <class T>
std::vector<T> Filled(Fill fill, ElementType type = ElementType::kS32) {
  Workload workload;
  workload.buffers.push_back({.name = "b", .type = type, .fill = std::move(fill)});
  BufferSpec& spec = workload.buffers.back();
  CountJagged(workload);
  if (spec.count == 0) {
    const Input& input = *spec.fill.input;
    const uint64_t rows = input.rows();
    switch (spec.fill.kind) {
      case Fill::Kind::kCsrRows:
        spec.count = rows + 1;
        break;
      case Fill::Kind::kCsrLengths:
        spec.count = rows;
        break;
      case Fill::Kind::kCsrRanges:
        spec.count = 2 * rows;
        break;
      default:
        spec.count = input.elements();
    }
  }
  std::vector<T> elements(spec.count, T{99});
  FillBuffer(spec, std::as_writable_bytes(std::span(elements)));
  return elements;
}

Fill Of(Fill::Kind kind, std::shared_ptr<const Input> input = Small()) {
  return {.kind = kind, .input = std::move(input)};
}

TEST(InputFill, GivesCompressedRows) {
  using Ints = std::vector<int32_t>;
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrRows)), (Ints{0, 0, 2, 3}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrColumns)), (Ints{0, 2, 1}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrSources)), (Ints{1, 1, 2}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrLengths)), (Ints{0, 2, 1}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrRanges)), (Ints{0, 0, 0, 2, 2, 1}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kCsrValues)), (Ints{5, -1, 7}));
  EXPECT_EQ(Filled<float>(Of(Fill::Kind::kCsrValues), ElementType::kF32),
            (std::vector<float>{5, -1, 7}));
}

TEST(InputFill, GivesJaggedDiagonals) {
  using Ints = std::vector<int32_t>;
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kJdsPermutation)), (Ints{1, 2, 0}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kJdsStarts)), (Ints{0, 32, 64}));
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kJdsLengths)), (Ints{2}));
  Ints columns(64, 0);
  columns[1] = 1;   // row 2's first; row 1's first is column 0
  columns[32] = 2;  // row 1's second
  EXPECT_EQ(Filled<int32_t>(Of(Fill::Kind::kJdsColumns)), columns);
  std::vector<double> values(64, 0);
  values[0] = 5;
  values[1] = 7;
  values[32] = -1;
  EXPECT_EQ(Filled<double>(Of(Fill::Kind::kJdsValues), ElementType::kF64), values);
}

TEST(InputFill, DrawsValuesThatFollowFromTheSeedAndThePlaceAlone) {
  Fill fill = Of(Fill::Kind::kCsrValues, Small(false));
  fill.min = 1;
  fill.max = 1000;
  fill.seed = 4;
  const auto once = Filled<int32_t>(fill);
  EXPECT_NE(once[0], once[1]);
  // Edge 1 - 2 exists both ways and has one value; another graph gives it the same one.
  EXPECT_EQ(once[1], once[2]);
  Fill other = fill;
  other.input = std::make_shared<const Input>("o", FromElements(9, 9, {{8, 8}, {2, 1}}, false));
  EXPECT_EQ(Filled<int32_t>(other)[0], once[1]);
  fill.seed = 5;
  EXPECT_NE(Filled<int32_t>(fill)[1], once[1]);
}

TEST(InputFill, GivesJaggedDiagonalsTheSameValuesAsCompressedRows) {
  Fill csr = Of(Fill::Kind::kCsrValues, Small(false));
  Fill jds = csr;
  jds.kind = Fill::Kind::kJdsValues;
  const auto in_rows = Filled<double>(csr, ElementType::kF64);
  const auto jagged = Filled<double>(jds, ElementType::kF64);
  EXPECT_EQ(jagged[0], in_rows[0]);
  EXPECT_EQ(jagged[32], in_rows[1]);
  EXPECT_EQ(jagged[1], in_rows[2]);
}

}  // namespace input_fill_test
}  // namespace flagstone
