// A synthetic sparse matrix whose elements lie around the diagonal.
#ifndef FLAGSTONE_KERNELS_INPUTS_BANDED_MATRIX_H_
#define FLAGSTONE_KERNELS_INPUTS_BANDED_MATRIX_H_

#include <cstdint>

#include "kernels/inputs/sparse_matrix.h"

namespace flagstone {

// A matrix of `rows` x `columns` with exactly rows * per_row elements, in compressed rows (CSR):
// - two neighbouring rows have per_row + d and per_row - d elements, d drawn from [0, per_row / 2],
//   so that threads of a warp differ in length while the total is known beforehand;
// - a row's elements lie in a band of 4 * per_row columns around the diagonal, but for 7 rows of 8
//   one element lies anywhere else. In blocks of 192 rows of a 146,689 x 146,689 matrix this makes
//   somewhat more than half of all pairs of blocks touch a common column, as PAVER (Table 2)
//   reports for SPMV.
// Columns ascend in a row and are distinct. Every value follows from the seed alone.
struct BandedMatrixShape {
  uint64_t rows = 0;
  uint64_t columns = 0;  // >= per_row + per_row / 2
  uint64_t per_row = 0;  // elements of a row, on average
  uint64_t seed = 1;
};

SparseMatrix GenerateBandedMatrix(const BandedMatrixShape& shape);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_BANDED_MATRIX_H_
