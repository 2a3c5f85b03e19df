// [input.NAME] of workload.toml: a graph or sparse matrix, generated or from a file, that several
// buffers are filled from and that grids, counts and arguments can name.
#ifndef FLAGSTONE_KERNELS_INPUTS_INPUT_H_
#define FLAGSTONE_KERNELS_INPUTS_INPUT_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/inputs/banded_matrix.h"
#include "kernels/inputs/graph_generators.h"
#include "kernels/inputs/sparse_matrix.h"

namespace flagstone {

class Input {
 public:
  // A generator's parameters, or a matrix that was read from a file.
  using Source =
      std::variant<RmatShape, UniformGraphShape, Mesh2dShape, BandedMatrixShape, SparseMatrix>;

  // `file`: where the matrix was read from; empty for a generated one.
  Input(std::string name, Source source, std::filesystem::path file = {});

  const std::string& name() const { return name_; }
  const std::filesystem::path& file() const { return file_; }

  // Known without generating anything.
  uint64_t rows() const { return rows_; }
  uint64_t columns() const { return columns_; }
  uint64_t elements() const { return elements_; }
  bool HasValues() const;

  // Generated when first asked for, once; may be called from several threads.
  const SparseMatrix& Matrix() const;
  const JaggedMatrix& Jagged() const;

 private:
  std::string name_;
  Source source_;
  std::filesystem::path file_;
  uint64_t rows_ = 0, columns_ = 0, elements_ = 0;
  mutable std::once_flag matrix_once_, jagged_once_;
  mutable SparseMatrix matrix_;
  mutable JaggedMatrix jagged_;
};

using Inputs = std::vector<std::shared_ptr<const Input>>;

const std::shared_ptr<const Input>* FindInput(const Inputs& inputs, std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_INPUT_H_
