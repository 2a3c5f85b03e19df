#include "kernels/inputs/banded_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace flagstone {
namespace banded_matrix_test {

constexpr BandedMatrixShape kShape = {.rows = 999, .columns = 1200, .per_row = 8, .seed = 3};

TEST(BandedMatrix, HasExactlyTheElementsThatWereAskedFor) {
  const auto starts = GenerateBandedMatrix(kShape).starts;
  ASSERT_EQ(starts.size(), kShape.rows + 1);
  EXPECT_EQ(starts.front(), 0U);
  EXPECT_EQ(starts.back(), kShape.rows * kShape.per_row);
  EXPECT_EQ(GenerateBandedMatrix(kShape).column.size(), kShape.rows * kShape.per_row);
}

TEST(BandedMatrix, HasRowsOfDifferentLengths) {
  const auto starts = GenerateBandedMatrix(kShape).starts;
  std::set<uint64_t> lengths;
  for (size_t row = 0; row < kShape.rows; ++row) lengths.insert(starts[row + 1] - starts[row]);
  EXPECT_EQ(lengths, (std::set<uint64_t>{4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(BandedMatrix, HasDistinctAscendingColumnsInEachRow) {
  for (const uint64_t columns : {12U, 13U, 31U, 32U, 33U, 1200U}) {
    BandedMatrixShape shape = kShape;
    shape.columns = columns;
    const auto starts = GenerateBandedMatrix(shape).starts;
    const auto indices = GenerateBandedMatrix(shape).column;
    for (size_t row = 0; row < shape.rows; ++row) {
      for (uint64_t k = starts[row]; k < starts[row + 1]; ++k) {
        ASSERT_LT(indices[k], columns);
        if (k > starts[row]) {
          ASSERT_LT(indices[k - 1], indices[k]);
        }
      }
    }
  }
}

TEST(BandedMatrix, LiesAroundTheDiagonalButForOneFarElementInMostRows) {
  const auto starts = GenerateBandedMatrix(kShape).starts;
  const auto indices = GenerateBandedMatrix(kShape).column;
  uint64_t rows_with_far = 0;
  for (uint64_t row = 0; row < kShape.rows; ++row) {
    const uint64_t diagonal = row * kShape.columns / kShape.rows;
    const uint64_t begin = std::min(diagonal < 16 ? 0 : diagonal - 16, kShape.columns - 32);
    const auto far =
        std::count_if(indices.begin() + static_cast<std::ptrdiff_t>(starts[row]),
                      indices.begin() + static_cast<std::ptrdiff_t>(starts[row + 1]),
                      [&](uint64_t column) { return column < begin || column >= begin + 32; });
    ASSERT_LE(far, 1) << row;
    rows_with_far += static_cast<uint64_t>(far);
  }
  EXPECT_NEAR(static_cast<double>(rows_with_far) / 999, 7.0 / 8, 0.05);
}

TEST(BandedMatrix, FollowsFromTheSeed) {
  BandedMatrixShape other = kShape;
  EXPECT_EQ(GenerateBandedMatrix(other).column, GenerateBandedMatrix(kShape).column);
  other.seed = 4;
  EXPECT_NE(GenerateBandedMatrix(other).starts, GenerateBandedMatrix(kShape).starts);
  EXPECT_NE(GenerateBandedMatrix(other).column, GenerateBandedMatrix(kShape).column);
}

// What spmv's paper size is made for: blocks of 192 rows of which somewhat more than half of the
// pairs touch a common column.
TEST(BandedMatrix, MakesMoreThanHalfOfAllBlockPairsShareAColumn) {
  constexpr BandedMatrixShape kPaper = {
      .rows = 146689, .columns = 146689, .per_row = 25, .seed = 1};
  constexpr uint64_t kRowsOfBlock = 192;
  const auto starts = GenerateBandedMatrix(kPaper).starts;
  const auto indices = GenerateBandedMatrix(kPaper).column;
  const uint64_t blocks = (kPaper.rows + kRowsOfBlock - 1) / kRowsOfBlock;
  ASSERT_EQ(blocks, 765U);
  std::vector<std::set<uint32_t>> blocks_of_column(kPaper.columns);
  for (uint64_t row = 0; row < kPaper.rows; ++row) {
    for (uint64_t k = starts[row]; k < starts[row + 1]; ++k) {
      blocks_of_column[indices[k]].insert(static_cast<uint32_t>(row / kRowsOfBlock));
    }
  }
  std::vector<bool> share(blocks * blocks, false);
  for (const auto& touching : blocks_of_column) {
    for (const uint32_t a : touching) {
      for (const uint32_t b : touching) share[a * blocks + b] = true;
    }
  }
  const auto sharing = static_cast<double>(std::count(share.begin(), share.end(), true));
  const double sparsity_score = 1 - sharing / static_cast<double>(blocks * blocks);
  EXPECT_NEAR(sparsity_score, 0.4306, 0.02) << "PAVER, Table 2: SPMV";
}

}  // namespace banded_matrix_test
}  // namespace flagstone
