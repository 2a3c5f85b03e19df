// Graph and matrix files: what each format means, and the message for each kind of mistake.
#include "kernels/inputs/matrix_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace matrix_file_test {

constexpr MatrixFormat kMtx = MatrixFormat::kMatrixMarket;
constexpr MatrixFormat kGr = MatrixFormat::kDimacs;
constexpr MatrixFormat kEdges = MatrixFormat::kEdgeList;

SparseMatrix Parse(std::string_view text, MatrixFormat format,
                   const MatrixFileOptions& options = {}) {
  return ParseMatrix(text, format, "f", options);
}

std::string Message(std::string_view text, MatrixFormat format,
                    const MatrixFileOptions& options = {}) {
  return BadInputMessage([&] { Parse(text, format, options); });
}

void ExpectMatrix(const SparseMatrix& matrix, uint64_t columns, const std::vector<uint64_t>& starts,
                  const std::vector<uint32_t>& column, const std::vector<double>& values) {
  EXPECT_EQ(matrix.columns, columns);
  EXPECT_EQ(matrix.starts, starts);
  EXPECT_EQ(matrix.column, column);
  EXPECT_EQ(matrix.values, values);
}

TEST(MatrixFile, TellsTheFormatByTheExtension) {
  EXPECT_EQ(FormatOf("a/b.mtx"), kMtx);
  EXPECT_EQ(FormatOf("b.gr"), kGr);
  EXPECT_EQ(FormatOf("b.el"), kEdges);
  EXPECT_EQ(FormatOf("b.edges"), kEdges);
  EXPECT_EQ(FormatOf("b.txt"), kEdges);
  EXPECT_EQ(FormatOf("b.MTX"), std::nullopt);
  EXPECT_EQ(FormatOf("mtx"), std::nullopt);
}

TEST(MatrixMarket, ReadsTheExampleOfItsDefinition) {
  // The 5 x 5 matrix of the format's page at NIST.
  const SparseMatrix matrix = Parse(
      "%%MatrixMarket matrix coordinate real general\n"
      "% A 5x5 sparse matrix with 8 nonzeros\n"
      "5 5 8\n"
      "1 1 1.000e+00\n2 2 1.050e+01\n3 3 1.500e-02\n1 4 6.000e+00\n"
      "4 2 2.505e+02\n4 4 -2.800e+02\n4 5 3.332e+01\n5 5 1.200e+01\n",
      kMtx);
  ExpectMatrix(matrix, 5, {0, 2, 3, 4, 7, 8}, {0, 3, 1, 2, 1, 3, 4, 4},
               {1, 6, 10.5, 0.015, 250.5, -280, 33.32, 12});
}

TEST(MatrixMarket, MirrorsSymmetricMatricesButNotTheirDiagonal) {
  ExpectMatrix(Parse("%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n2 1 5\n"
                     "3 2 -6\n",
                     kMtx),
               3, {0, 2, 4, 5}, {0, 1, 0, 2, 1}, {4, 5, 5, -6, -6});
  ExpectMatrix(Parse("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", kMtx),
               2, {0, 1, 2}, {1, 0}, {-5, 5});
  ExpectMatrix(Parse("%%matrixmarket MATRIX Coordinate Pattern Symmetric\r\n\r\n2 2 1\r\n2 1\r\n",
                     kMtx, {.symmetric = true}),
               2, {0, 1, 2}, {1, 0}, {});
}

TEST(MatrixMarket, TakesRectanglesPatternsAndEmptyMatrices) {
  ExpectMatrix(Parse("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1\t1", kMtx), 3,
               {0, 1, 2}, {0, 2}, {});
  ExpectMatrix(Parse("%%MatrixMarket matrix coordinate real general\n2 2 0\n", kMtx), 2, {0, 0, 0},
               {}, {});
}

TEST(MatrixMarket, NamesTheLineOfEachMistake) {
  const std::string expected =
      "expected '%%MatrixMarket matrix coordinate', then real, double, integer or pattern, then "
      "general, symmetric or skew-symmetric";
  EXPECT_EQ(Message("", kMtx), "f:0: the file is empty: " + expected);
  for (const char* first : {"5 5 8", "%%MatrixMarket matrix array real general",
                            "%%MatrixMarket matrix coordinate complex general",
                            "%%MatrixMarket matrix coordinate real hermitian",
                            "%%MatrixMarket matrix coordinate real"}) {
    EXPECT_EQ(Message(first, kMtx), "f:1: the first line is another: " + expected);
  }
  const std::string head = "%%MatrixMarket matrix coordinate real general\n% comment\n";
  EXPECT_EQ(Message(head, kMtx), "f:2: there is no line 'ROWS COLUMNS ELEMENTS'");
  EXPECT_EQ(Message(head + "0 1 1\n", kMtx),
            "f:3: the number of rows is '0': expected an integer from 1 to 268435456");
  EXPECT_EQ(Message(head + "2 2\n", kMtx),
            "f:3: the number of elements is missing: expected an integer from 0 to 1073741824");
  EXPECT_EQ(Message(head + "2 2 1 1\n", kMtx), "f:3: the line goes on with '1': expected its end");
  EXPECT_EQ(Message(head + "2 2 1\n0 1 1.0\n", kMtx),
            "f:4: the row is '0': expected an integer from 1 to 2");
  EXPECT_EQ(Message(head + "2 2 1\n1 3 1.0\n", kMtx),
            "f:4: the column is '3': expected an integer from 1 to 2");
  EXPECT_EQ(Message(head + "2 2 1\n1 1\n", kMtx), "f:4: the value is missing: expected a number");
  EXPECT_EQ(Message(head + "2 2 1\n1 1 nan\n", kMtx), "f:4: the value is 'nan': expected a number");
  EXPECT_EQ(Message(head + "2 2 1\n1 1 1e999\n", kMtx),
            "f:4: the value is '1e999': expected a number");
  EXPECT_EQ(Message(head + "2 2 2\n1 1 1.0\n", kMtx), "f:4: the file ends after 1 of 2 elements");
  EXPECT_EQ(Message(head + "2 2 1\n1 1 1.0\n\n1 2 1.0\n", kMtx),
            "f:6: there are more elements than the 1 of the size line");
  EXPECT_EQ(Message("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", kMtx),
            "f:2: 2 rows and 3 columns: expected as many of both in a symmetric matrix");
}

TEST(Dimacs, ReadsArcsWithWeights) {
  ExpectMatrix(Parse("c a comment\n\np sp 4 3\nc another\na 1 2 17\na 4 1 8\na 1 3 2.5\n", kGr), 4,
               {0, 2, 2, 2, 3}, {1, 2, 0}, {17, 2.5, 8});
}

TEST(Dimacs, NamesTheLineOfEachMistake) {
  EXPECT_EQ(Message("c only\n", kGr), "f:1: there is no line 'p sp NODES ARCS'");
  EXPECT_EQ(Message("p max 3 2\n", kGr), "f:1: the problem is 'max': expected 'p sp NODES ARCS'");
  EXPECT_EQ(Message("a 1 2 3\n", kGr),
            "f:1: the line starts with 'a': expected c or 'p sp NODES ARCS'");
  EXPECT_EQ(Message("p sp 3 1\np sp 3 1\n", kGr),
            "f:2: the line starts with 'p': expected c or 'a FROM TO WEIGHT'");
  EXPECT_EQ(Message("p sp 3 1\ne 1 2\n", kGr),
            "f:2: the line starts with 'e': expected c or 'a FROM TO WEIGHT'");
  EXPECT_EQ(Message("p sp 3 1\na 1 4 1\n", kGr),
            "f:2: the target is '4': expected an integer from 1 to 3");
  EXPECT_EQ(Message("p sp 3 1\na 1 2\n", kGr), "f:2: the weight is missing: expected a number");
  EXPECT_EQ(Message("p sp 3 2\na 1 2 1\n", kGr), "f:2: the file ends after 1 of 2 arcs");
  EXPECT_EQ(Message("p sp 3 1\na 1 2 1\na 1 3 1\n", kGr),
            "f:3: there are more arcs than the 1 of the line 'p'");
}

TEST(EdgeList, ReadsEdgesWithAndWithoutWeights) {
  ExpectMatrix(Parse("# from to\n% either\n0 3\n  2\t0 \n", kEdges), 4, {0, 1, 1, 2, 2}, {3, 0},
               {});
  ExpectMatrix(Parse("0 1 0.5\n1 0 +2\n", kEdges), 2, {0, 1, 2}, {1, 0}, {0.5, 2});
}

TEST(EdgeList, NamesTheLineOfEachMistake) {
  EXPECT_EQ(Message("# nothing\n", kEdges), "f:1: there is no edge: expected lines 'FROM TO'");
  EXPECT_EQ(Message("0 1\n1 0 2\n", kEdges),
            "f:2: the line has a weight: expected it as the first edge has it");
  EXPECT_EQ(Message("0 1 2\n1 0\n", kEdges),
            "f:2: the line has no weight: expected it as the first edge has it");
  EXPECT_EQ(Message("0 -1\n", kEdges),
            "f:1: the target is '-1': expected an integer from 0 to 268435455");
  EXPECT_EQ(Message("0 10\n", kEdges, {.most_rows = 10}),
            "f:1: the target is '10': expected an integer from 0 to 9");
  EXPECT_EQ(Message("0 1 2 3\n", kEdges), "f:1: the line goes on with '3': expected its end");
  EXPECT_EQ(Message("a\x01 b\n", kEdges),
            "f:1: the source is 'a\\x01': expected an integer from 0 to 268435455");
}

TEST(MatrixFile, AddsEachEdgeBackwardsWhereAskedTo) {
  ExpectMatrix(Parse("0 1 3\n1 1 4\n2 0 5\n", kEdges, {.symmetric = true}), 3, {0, 2, 4, 5},
               {1, 2, 0, 1, 0}, {3, 5, 3, 4, 5});
}

TEST(MatrixFile, KeepsSeveralElementsAtOnePlace) {
  ExpectMatrix(Parse("0 1 3\n0 1 4\n", kEdges), 2, {0, 2, 2}, {1, 1}, {3, 4});
}

}  // namespace matrix_file_test
}  // namespace flagstone
