// libFuzzer target: any bytes as a graph or matrix file either parse into a matrix whose parts fit
// together or throw kBadInput with a one-line message. The first byte says which format.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "kernels/inputs/matrix_file.h"

namespace {

void RequireWhole(const flagstone::SparseMatrix& matrix) {
  if (matrix.starts.back() != matrix.Elements()) std::abort();
  if (!matrix.values.empty() && matrix.values.size() != matrix.Elements()) std::abort();
  for (uint64_t row = 0; row < matrix.Rows(); ++row) {
    for (uint64_t i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i) {
      if (matrix.column[i] >= matrix.columns) std::abort();
    }
  }
  const flagstone::JaggedMatrix jagged = flagstone::ToJagged(matrix);
  if (jagged.starts.back() != jagged.elements.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<flagstone::MatrixFormat>(data[0] % 3);
  // Few rows: a file of a line may rightly announce a matrix that fills the memory.
  const flagstone::MatrixFileOptions options = {.symmetric = data[0] % 2 == 0, .most_rows = 4096};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    RequireWhole(flagstone::ParseMatrix(text, format, "fuzz", options));
  } catch (const flagstone::Error& error) {
    const std::string_view message = error.what();
    if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
    if (!message.starts_with("fuzz:") || message.find('\n') != message.npos) std::abort();
  }
  return 0;
}
