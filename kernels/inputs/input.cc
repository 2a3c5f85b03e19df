#include "kernels/inputs/input.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace flagstone {
namespace {

struct Generate {
  SparseMatrix operator()(const RmatShape& shape) const { return GenerateRmat(shape); }
  SparseMatrix operator()(const UniformGraphShape& shape) const {
    return GenerateUniformGraph(shape);
  }
  SparseMatrix operator()(const Mesh2dShape& shape) const { return GenerateMesh2d(shape); }
  SparseMatrix operator()(const BandedMatrixShape& shape) const {
    return GenerateBandedMatrix(shape);
  }
  SparseMatrix operator()(const SparseMatrix& matrix) const { return matrix; }
};

struct Extent {
  uint64_t rows = 0, columns = 0, elements = 0;
};

struct ExtentOf {
  Extent operator()(const RmatShape& shape) const {
    return {shape.nodes, shape.nodes, shape.nodes * shape.edge_factor * (shape.symmetric ? 2 : 1)};
  }
  Extent operator()(const UniformGraphShape& shape) const {
    return {shape.nodes, shape.nodes, shape.nodes * shape.degree * (shape.symmetric ? 2 : 1)};
  }
  Extent operator()(const Mesh2dShape& shape) const {
    return {shape.width * shape.height, shape.width * shape.height, shape.Edges()};
  }
  Extent operator()(const BandedMatrixShape& shape) const {
    return {shape.rows, shape.columns, shape.rows * shape.per_row};
  }
  Extent operator()(const SparseMatrix& matrix) const {
    return {matrix.Rows(), matrix.columns, matrix.Elements()};
  }
};

}  // namespace

Input::Input(std::string name, Source source, std::filesystem::path file)
    : name_(std::move(name)), source_(std::move(source)), file_(std::move(file)) {
  const Extent extent = std::visit(ExtentOf(), source_);
  rows_ = extent.rows;
  columns_ = extent.columns;
  elements_ = extent.elements;
}

bool Input::HasValues() const {
  const auto* read = std::get_if<SparseMatrix>(&source_);
  return read != nullptr && !read->values.empty();
}

const SparseMatrix& Input::Matrix() const {
  if (const auto* read = std::get_if<SparseMatrix>(&source_)) return *read;
  std::call_once(matrix_once_, [&] { matrix_ = std::visit(Generate(), source_); });
  return matrix_;
}

const JaggedMatrix& Input::Jagged() const {
  std::call_once(jagged_once_, [&] { jagged_ = ToJagged(Matrix()); });
  return jagged_;
}

const std::shared_ptr<const Input>* FindInput(const Inputs& inputs, std::string_view name) {
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return i->name() == name; });
  return found == inputs.end() ? nullptr : &*found;
}

}  // namespace flagstone
