// Fills from a graph or sparse matrix: compressed rows and jagged diagonals.
#include <algorithm>

#include "base/error.h"
#include "kernels/launch/element.h"
#include "kernels/launch/fill.h"
#include "kernels/launch/uniform_element.h"

namespace flagstone {
namespace {

// The matrix's own value where it has some, else a random one that follows from the seed and the
// element's place alone: the same for both directions of an edge, whatever other edges there are.
template <class T>
T ValueOf(const Fill& fill, const SparseMatrix& matrix, uint64_t row, uint64_t element) {
  if (!matrix.values.empty()) return static_cast<T>(matrix.values[element]);
  const uint64_t column = matrix.column[element];
  const uint64_t low = std::min(row, column);
  const uint64_t high = std::max(row, column);
  SplitMix64 random(SplitMix64(SplitMix64(fill.seed).Next() ^ low).Next() ^ high);
  return UniformElement<T>(fill, &random);
}

// The elements of a buffer, one after the other.
template <class T>
class Writer {
 public:
  explicit Writer(std::span<std::byte> bytes) : bytes_(bytes) {}
  void Add(T value) { StoreElement(bytes_.data(), next_++, value); }
  void AddIndex(uint64_t value) { Add(static_cast<T>(value)); }
  void CheckFull() const {
    if (next_ * sizeof(T) != bytes_.size()) ThrowInternal("a fill gave {} elements", next_);
  }

 private:
  std::span<std::byte> bytes_;
  uint64_t next_ = 0;
};

template <class T>
void WriteRows(const Fill& fill, Writer<T>* writer) {
  const SparseMatrix& matrix = fill.input->Matrix();
  for (uint64_t row = 0; row < matrix.Rows(); ++row) {
    if (fill.kind != Fill::Kind::kCsrLengths) writer->AddIndex(matrix.starts[row]);
    if (fill.kind != Fill::Kind::kCsrRows) writer->AddIndex(matrix.Length(row));
  }
  if (fill.kind == Fill::Kind::kCsrRows) writer->AddIndex(matrix.starts.back());
}

template <class T>
void WriteElements(const Fill& fill, Writer<T>* writer) {
  const SparseMatrix& matrix = fill.input->Matrix();
  for (uint64_t row = 0; row < matrix.Rows(); ++row) {
    for (uint64_t i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i) {
      if (fill.kind == Fill::Kind::kCsrColumns) {
        writer->AddIndex(matrix.column[i]);
      } else if (fill.kind == Fill::Kind::kCsrSources) {
        writer->AddIndex(row);
      } else {
        writer->Add(ValueOf<T>(fill, matrix, row, i));
      }
    }
  }
}

template <class T>
void WriteJaggedElements(const Fill& fill, Writer<T>* writer) {
  const SparseMatrix& matrix = fill.input->Matrix();
  const JaggedMatrix& jagged = fill.input->Jagged();
  for (uint64_t k = 0; k + 1 < jagged.starts.size(); ++k) {
    for (uint64_t at = jagged.starts[k]; at < jagged.starts[k + 1]; ++at) {
      const uint64_t element = jagged.elements[at];
      if (element == JaggedMatrix::kPadding) {
        writer->Add(T{0});
      } else if (fill.kind == Fill::Kind::kJdsColumns) {
        writer->AddIndex(matrix.column[element]);
      } else {
        const uint64_t row = jagged.permutation[at - jagged.starts[k]];
        writer->Add(ValueOf<T>(fill, matrix, row, element));
      }
    }
  }
}

template <class T>
void WriteIndices(const std::vector<uint64_t>& indices, Writer<T>* writer) {
  for (const uint64_t index : indices) writer->AddIndex(index);
}

template <class T>
void Write(const Fill& fill, Writer<T>* writer) {
  switch (fill.kind) {
    case Fill::Kind::kCsrRows:
    case Fill::Kind::kCsrLengths:
    case Fill::Kind::kCsrRanges:
      return WriteRows(fill, writer);
    case Fill::Kind::kCsrColumns:
    case Fill::Kind::kCsrSources:
    case Fill::Kind::kCsrValues:
      return WriteElements(fill, writer);
    case Fill::Kind::kJdsPermutation:
      return WriteIndices(fill.input->Jagged().permutation, writer);
    case Fill::Kind::kJdsStarts:
      return WriteIndices(fill.input->Jagged().starts, writer);
    case Fill::Kind::kJdsLengths:
      return WriteIndices(fill.input->Jagged().lengths, writer);
    case Fill::Kind::kJdsColumns:
    case Fill::Kind::kJdsValues:
      return WriteJaggedElements(fill, writer);
    default:
      ThrowInternal("fill {} takes no input", static_cast<int>(fill.kind));
  }
}

}  // namespace

void FillFromInput(const BufferSpec& spec, std::span<std::byte> bytes) {
  VisitElementType(spec.type, [&](auto element) {
    Writer<decltype(element)> writer(bytes);
    Write(spec.fill, &writer);
    writer.CheckFull();
  });
}

}  // namespace flagstone
