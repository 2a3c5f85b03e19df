#include "gpu_model/simt/tensor_memory.h"

#include <algorithm>
#include <cstring>

namespace flagstone::simt {

using MemoryShape = ptx::TensorMemoryShape;

TensorMemory::TensorMemory()
    : cells_(std::make_unique_for_overwrite<uint32_t[]>(size_t{kColumns} * kLanes)) {
  allocations_.reserve(kColumns / kUnit);
}

void TensorMemory::Start() {
  relinquished = false;
  last_columns = kColumns;
  for (Uses* const uses : {&written, &stored, &loaded}) {
    for (auto& group : *uses) group.fill({});
  }
  allocations_.clear();
  allocated_ = 0;
}

bool TensorMemory::IsAllocated(uint32_t column) const {
  return std::any_of(allocations_.begin(), allocations_.end(), [column](const Allocation& of) {
    return column >= of.first && column < of.first + of.columns;
  });
}

std::optional<uint32_t> TensorMemory::Allocate(uint32_t columns, uint32_t pc, uint32_t warp) {
  for (uint32_t first = 0; first + columns <= kColumns; first += kUnit) {
    const bool taken =
        std::any_of(allocations_.begin(), allocations_.end(), [&](const Allocation& of) {
          return first < of.first + of.columns && of.first < first + columns;
        });
    if (taken) continue;
    allocations_.push_back({first, columns, pc, warp});
    allocated_ += columns;
    last_columns = columns;
    std::memset(Column(first), 0, size_t{columns} * kLanes * sizeof(uint32_t));
    return first;
  }
  return std::nullopt;
}

bool TensorMemory::Free(uint32_t first, uint32_t columns) {
  const auto at = std::find_if(allocations_.begin(), allocations_.end(), [&](const Allocation& of) {
    return of.first == first && of.columns == columns;
  });
  if (at == allocations_.end()) return false;
  allocations_.erase(at);
  allocated_ -= columns;
  for (Uses* const uses : {&stored, &loaded}) {
    for (auto& group : *uses) std::fill_n(group.begin() + first, columns, Use{});
  }
  return true;
}

void TensorMemory::End(uint32_t warp, Uses* uses) {
  for (auto& group : *uses) {
    for (Use& use : group) use.there = use.there && use.warp != warp;
  }
}

TensorMemoryPlace PlaceInTensorMemory(MemoryShape shape, uint32_t thread, uint32_t reg) {
  switch (shape) {
    case MemoryShape::k16x64:
      return {thread % 2 * 8 + thread / 4, thread / 2 % 2 + 2 * reg};
    case MemoryShape::k16x128:
      return {thread / 4 + reg % 2 * 8, thread % 4 + reg / 2 * 4};
    case MemoryShape::k16x256:
      return {thread / 4 + reg / 2 % 2 * 8, thread % 4 * 2 + reg % 2 + reg / 4 * 8};
    case MemoryShape::k16x32x2:
      return {thread % 16, reg};
    default:
      return {thread, reg};
  }
}

uint32_t ColumnsOf(const ptx::TensorMemoryForm& form) {
  const uint32_t bits = form.shape == MemoryShape::k16x64    ? 64
                        : form.shape == MemoryShape::k16x128 ? 128
                        : form.shape == MemoryShape::k16x256 ? 256
                                                             : 32;
  return bits / 32 * form.count * (form.packed ? 2 : 1);
}

}  // namespace flagstone::simt
