#include "launch/fill.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "launch/element.h"
#include "launch/sparse_matrix.h"

namespace flagstone {
namespace {

template <class T>
void FillUniform(const Fill& fill, uint64_t count, std::byte* bytes) {
  SplitMix64 random(fill.seed);
  if constexpr (std::is_floating_point_v<T>) {
    for (uint64_t i = 0; i < count; ++i) {
      StoreElement(bytes, i, static_cast<T>(fill.min + (fill.max - fill.min) * random.Unit()));
    }
  } else {
    // Unsigned arithmetic wraps around, so that it serves negative bounds too.
    const auto min = static_cast<uint64_t>(static_cast<int64_t>(fill.min));
    const uint64_t values = static_cast<uint64_t>(static_cast<int64_t>(fill.max)) - min + 1;
    for (uint64_t i = 0; i < count; ++i) {
      StoreElement(bytes, i, static_cast<T>(min + random.Below(values)));
    }
  }
}

template <class T>
void FillConstant(double value, uint64_t count, std::byte* bytes) {
  for (uint64_t i = 0; i < count; ++i) StoreElement(bytes, i, static_cast<T>(value));
}

template <class T>
void FillIota(const Fill& fill, uint64_t count, std::byte* bytes) {
  for (uint64_t i = 0; i < count; ++i) {
    StoreElement(bytes, i, static_cast<T>(fill.start + static_cast<double>(i) * fill.step));
  }
}

template <class T>
void FillIndices(const std::vector<uint64_t>& indices, std::byte* bytes) {
  for (uint64_t i = 0; i < indices.size(); ++i) StoreElement(bytes, i, static_cast<T>(indices[i]));
}

void FillFile(const BufferSpec& spec, std::span<std::byte> bytes) {
  const std::string contents = ReadFile(spec.fill.file);
  if (contents.size() != bytes.size()) {
    ThrowBadInput("'{}' has {} bytes: expected {} for buffer '{}' of {} {}",
                  spec.fill.file.string(), contents.size(), bytes.size(), spec.name, spec.count,
                  ToString(spec.type));
  }
  std::memcpy(bytes.data(), contents.data(), contents.size());
}

}  // namespace

void FillBuffer(const BufferSpec& spec, std::span<std::byte> bytes) {
  const Fill& fill = spec.fill;
  const SparseMatrixShape shape = {fill.rows, fill.columns, fill.per_row, fill.seed};
  VisitElementType(spec.type, [&](auto element) {
    using T = decltype(element);
    switch (fill.kind) {
      case Fill::Kind::kZero:
        return std::fill(bytes.begin(), bytes.end(), std::byte{0});
      case Fill::Kind::kConstant:
        return FillConstant<T>(fill.value, spec.count, bytes.data());
      case Fill::Kind::kIota:
        return FillIota<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kUniform:
        return FillUniform<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kFile:
        return FillFile(spec, bytes);
      case Fill::Kind::kCsrRows:
        return FillIndices<T>(SparseRowStarts(shape), bytes.data());
      case Fill::Kind::kCsrColumns:
        return FillIndices<T>(SparseColumns(shape), bytes.data());
    }
  });
}

}  // namespace flagstone
