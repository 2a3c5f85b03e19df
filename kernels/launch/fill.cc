#include "kernels/launch/fill.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "kernels/launch/element.h"
#include "kernels/launch/structure_fill.h"
#include "kernels/launch/uniform_element.h"

namespace flagstone {
namespace {

template <class T>
void FillUniform(const Fill& fill, uint64_t count, std::byte* bytes) {
  SplitMix64 random(fill.seed);
  for (uint64_t i = 0; i < count; ++i) StoreElement(bytes, i, UniformElement<T>(fill, &random));
}

template <class T>
void FillSorted(const Fill& fill, uint64_t count, std::byte* bytes) {
  SplitMix64 random(fill.seed);
  std::vector<T> elements(count);
  for (T& element : elements) element = UniformElement<T>(fill, &random);
  const uint64_t run = fill.run == 0 ? std::max<uint64_t>(count, 1) : fill.run;
  for (auto left = std::span(elements); !left.empty();) {
    const auto first = left.first(std::min<uint64_t>(run, left.size()));
    std::sort(first.begin(), first.end());
    left = left.subspan(first.size());
  }
  for (uint64_t i = 0; i < count; ++i) StoreElement(bytes, i, elements[i]);
}

// Fisher and Yates, from the last element down.
template <class T>
void FillPermutation(const Fill& fill, uint64_t count, std::byte* bytes) {
  SplitMix64 random(fill.seed);
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), uint64_t{0});
  for (uint64_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random.Below(left)]);
  }
  for (uint64_t i = 0; i < count; ++i) StoreElement(bytes, i, static_cast<T>(order[i]));
}

template <class T>
void FillConstant(const Fill& fill, uint64_t count, std::byte* bytes) {
  for (uint64_t i = 0; i < count; ++i) {
    StoreElement(bytes, i, static_cast<T>(i == 0 ? fill.first.value_or(fill.value) : fill.value));
  }
}

template <class T>
void FillIota(const Fill& fill, uint64_t count, std::byte* bytes) {
  for (uint64_t i = 0; i < count; ++i) {
    StoreElement(bytes, i, static_cast<T>(fill.start + static_cast<double>(i) * fill.step));
  }
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
  if (fill.input != nullptr) return FillFromInput(spec, bytes);
  VisitElementType(spec.type, [&](auto element) {
    using T = decltype(element);
    switch (fill.kind) {
      case Fill::Kind::kZero:
        return std::fill(bytes.begin(), bytes.end(), std::byte{0});
      case Fill::Kind::kConstant:
        return FillConstant<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kIota:
        return FillIota<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kUniform:
        return FillUniform<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kSorted:
        return FillSorted<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kPermutation:
        return FillPermutation<T>(fill, spec.count, bytes.data());
      case Fill::Kind::kFile:
        return FillFile(spec, bytes);
      case Fill::Kind::kSphere:
      case Fill::Kind::kBtree:
      case Fill::Kind::kSuffixTree:
      case Fill::Kind::kReads:
        return FillStructure(spec, bytes);
      default:
        ThrowInternal("fill {} needs an input", static_cast<int>(fill.kind));
    }
  });
}

}  // namespace flagstone
