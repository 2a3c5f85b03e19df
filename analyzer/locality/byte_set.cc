#include "analyzer/locality/byte_set.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace flagstone {
namespace {

constexpr uint64_t kSectorBytes = 32;  // as many as a mask has bits
constexpr size_t kUnjoined = 4096;     // as many ranges do not take long to sort

}  // namespace

void ByteSet::Add(uint64_t address, uint64_t bytes) {
  if (bytes >= kSectorBytes) {
    AddRange(address, bytes);
    return;
  }
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t sector = address / kSectorBytes;
    const uint64_t next = std::min(end, (sector + 1) * kSectorBytes);
    const uint64_t mask = (uint64_t{1} << (next - address)) - 1;
    MaskOf(sector) |= static_cast<uint32_t>(mask << address % kSectorBytes);
    address = next;
  }
}

void ByteSet::AddRange(uint64_t address, uint64_t bytes) {
  const auto begin = static_cast<int64_t>(address);
  const auto end = static_cast<int64_t>(address + bytes);
  if (!ranges_.empty() && ranges_.back().end == begin) {
    ranges_.back().end = end;
    return;
  }
  ranges_.push_back({begin, end});
  if (ranges_.size() < 2 * joined_ + kUnjoined) return;
  Normalize(ranges_);
  joined_ = ranges_.size();
}

uint32_t& ByteSet::MaskOf(uint64_t sector) {
  if (last_ < sectors_.size() && sectors_[last_].number == sector) return sectors_[last_].bytes;
  last_ = index_.FindOrAdd(sector * 0x9e3779b97f4a7c15U, sectors_.size(),
                           [&](uint32_t known) { return sectors_[known].number == sector; });
  if (last_ == sectors_.size()) sectors_.push_back({sector, 0});
  return sectors_[last_].bytes;
}

std::vector<Range> ByteSet::Take() {
  std::vector<Range> ranges = std::exchange(ranges_, {});
  joined_ = 0;
  for (const Sector& sector : sectors_) {
    const auto base = static_cast<int64_t>(sector.number * kSectorBytes);
    uint64_t left = sector.bytes;
    for (int from = 0; left != 0;) {
      from += std::countr_zero(left);
      left = uint64_t{sector.bytes} >> from;
      const int end = from + std::countr_one(left);
      ranges.push_back({base + from, base + end});
      left = uint64_t{sector.bytes} >> end;
      from = end;
    }
  }
  sectors_.clear();
  index_ = {};
  Normalize(ranges);
  return ranges;
}

}  // namespace flagstone
