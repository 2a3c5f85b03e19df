#include "launch/device_memory.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

uint64_t DeviceMemory::Allocate(std::string name, uint64_t size, bool writable) {
  const uint64_t begin = bytes_.size();  // always a multiple of kAlignment, after a gap
  if (size > limit_ || begin + RoundUp(size, kAlignment) + gap_ > limit_) {
    ThrowBadInput("'{}' needs {} bytes of device memory: expected at most {} bytes in all buffers",
                  name, size, limit_);
  }
  const uint64_t end = begin + RoundUp(size, kAlignment) + gap_;
  bytes_.resize(end);
  valid_.resize(end / kAlignment, 0);
  for (uint64_t done = 0; done < size; done += kAlignment) {
    valid_[(begin + done) / kAlignment] =
        static_cast<uint16_t>(std::min<uint64_t>(kAlignment, size - done));
  }
  regions_.push_back({std::move(name), base_ + begin, size, writable});
  return base_ + begin;
}

const DeviceMemory::Region* DeviceMemory::Find(uint64_t address, uint64_t size) const {
  const auto after = std::upper_bound(
      regions_.begin(), regions_.end(), address,
      [](uint64_t wanted, const Region& region) { return wanted < region.address; });
  if (after == regions_.begin()) return nullptr;
  const Region& region = *(after - 1);
  const uint64_t offset = address - region.address;
  // Written so that no sum can wrap around.
  if (offset > region.size || size > region.size - offset) return nullptr;
  return &region;
}

const DeviceMemory::Region& DeviceMemory::Named(std::string_view name) const {
  std::string known;
  for (const Region& region : regions_) {
    if (region.name == name) return region;
    if (!known.empty()) known += ", ";
    known += region.name;
  }
  ThrowBadInput("unknown buffer '{}': expected one of {}", name, known);
}

}  // namespace flagstone
