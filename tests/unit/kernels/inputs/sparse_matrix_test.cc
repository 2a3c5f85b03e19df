#include "kernels/inputs/sparse_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace flagstone {
namespace sparse_matrix_test {

TEST(SparseMatrix, SortsElementsByRowAndColumnAndKeepsSeveralAtOnePlaceInTheirOrder) {
  const SparseMatrix matrix =
      FromElements(4, 5, {{3, 4, 1}, {0, 2, 2}, {0, 1, 3}, {3, 4, 4}, {2, 0, 5}}, true);
  EXPECT_EQ(matrix.Rows(), 4U);
  EXPECT_EQ(matrix.columns, 5U);
  EXPECT_EQ(matrix.starts, (std::vector<uint64_t>{0, 2, 2, 3, 5}));
  EXPECT_EQ(matrix.column, (std::vector<uint32_t>{1, 2, 0, 4, 4}));
  EXPECT_EQ(matrix.values, (std::vector<double>{3, 2, 5, 1, 4}));
  EXPECT_TRUE(FromElements(4, 5, {{3, 4, 1}}, false).values.empty());
}

TEST(JaggedMatrix, OrdersRowsByFallingLengthAndStoresThemDiagonalByDiagonal) {
  // Rows of 1, 3, 0 and 1 elements.
  const SparseMatrix matrix = FromElements(4, 3, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {3, 0}}, false);
  const JaggedMatrix jagged = ToJagged(matrix);
  EXPECT_EQ(jagged.permutation, (std::vector<uint64_t>{1, 0, 3, 2}));
  EXPECT_EQ(jagged.lengths, (std::vector<uint64_t>{3}));
  EXPECT_EQ(jagged.starts, (std::vector<uint64_t>{0, 32, 64, 96}));
  std::vector<uint64_t> expected(96, JaggedMatrix::kPadding);
  expected[0] = 1;   // row 1, its first element
  expected[1] = 0;   // row 0
  expected[2] = 4;   // row 3
  expected[32] = 2;  // row 1, its second
  expected[64] = 3;
  EXPECT_EQ(jagged.elements, expected);
}

TEST(JaggedMatrix, PadsTheRowsOfAGroupOnlyToTheLongestOfThem) {
  // 40 rows: the first 8 have two elements, the others one.
  std::vector<MatrixElement> elements;
  for (uint32_t row = 0; row < 40; ++row) {
    elements.push_back({row, 0});
    if (row < 8) elements.push_back({row, 1});
  }
  const JaggedMatrix jagged = ToJagged(FromElements(40, 2, elements, false));
  EXPECT_EQ(jagged.lengths, (std::vector<uint64_t>{2, 1}));
  EXPECT_EQ(jagged.starts, (std::vector<uint64_t>{0, 64, 96}));
  EXPECT_EQ(std::count(jagged.elements.begin(), jagged.elements.end(), JaggedMatrix::kPadding),
            96 - 48);
}

TEST(JaggedMatrix, MayHaveNoElementsOrNoRows) {
  const JaggedMatrix empty = ToJagged(FromElements(2, 2, {}, false));
  EXPECT_EQ(empty.permutation.size(), 2U);
  EXPECT_EQ(empty.starts, (std::vector<uint64_t>{0}));
  EXPECT_EQ(empty.lengths, (std::vector<uint64_t>{0}));
  EXPECT_TRUE(ToJagged(FromElements(0, 0, {}, false)).lengths.empty());
}

}  // namespace sparse_matrix_test
}  // namespace flagstone
