#include "kernels/launch/device_memory.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

uint64_t DeviceMemory::Extent(uint64_t size) const { return RoundUp(size, kAlignment) + gap_; }

uint64_t DeviceMemory::Place(uint64_t begin, uint64_t end, uint64_t size) const {
  const uint64_t needed = Extent(size);
  uint64_t free = begin;
  // Where nothing was taken away, room is only after the last region.
  if (!has_holes_ && begin == queue_bytes_ && !regions_.empty()) {
    const Region& last = regions_.back();
    free = std::max(free, last.address - base_ + Extent(last.size));
  } else {
    for (const Region& region : regions_) {
      const uint64_t offset = region.address - base_;
      if (offset + Extent(region.size) <= free) continue;
      if (offset >= free + needed || offset >= end) break;
      free = offset + Extent(region.size);
    }
  }
  return size > end || free > end || needed > end - free ? end : free;
}

void DeviceMemory::Put(Region region) {
  const uint64_t begin = region.address - base_;
  const uint64_t end = begin + Extent(region.size);
  const uint64_t known = bytes_.size();
  if (end > known) bytes_.Resize(end);
  // What was in use before begins with zeros again.
  if (begin < known) {
    std::memset(bytes_.data() + begin, 0, std::min(known - begin, region.size));
  }
  // Of large buffers, writing all granules is what would take time.
  const uint64_t first = begin / kAlignment, whole = first + region.size / kAlignment;
  const uint64_t granules = RoundUp(end, kAlignment) / kAlignment, old = Granules();
  if (granules > old) missing_.Resize(granules * sizeof(uint16_t));
  SetMissing(old, first, kAlignment);
  SetMissing(first, std::min(whole, old), 0);
  SetMissing(std::max(whole, old), granules, kAlignment);
  if (region.size % kAlignment != 0) {
    SetMissing(whole, whole + 1, kAlignment - region.size % kAlignment);
  }
  const auto after =
      std::upper_bound(regions_.begin(), regions_.end(), region.address,
                       [](uint64_t wanted, const Region& other) { return wanted < other.address; });
  regions_.insert(after, std::move(region));
}

void DeviceMemory::SetMissing(uint64_t begin, uint64_t end, uint64_t bytes) {
  const auto missing = static_cast<uint16_t>(bytes);
  for (uint64_t granule = begin; granule < end; ++granule) {
    std::memcpy(missing_.data() + granule * sizeof(missing), &missing, sizeof(missing));
  }
}

void DeviceMemory::Expect(std::span<const uint64_t> sizes) {
  uint64_t end = std::max(queue_bytes_, bytes_.size());
  for (const uint64_t size : sizes) {
    if (size > limit_ || end > limit_) return;  // they will be refused
    end += Extent(size);
  }
  if (end > limit_) return;
  constexpr uint64_t kMore = uint64_t{16} << 20;  // for variables and the like
  const uint64_t room = std::min(limit_, end + kMore);
  bytes_.Reserve(room);
  missing_.Reserve(RoundUp(room, kAlignment) / kAlignment * sizeof(uint16_t));
}

uint64_t DeviceMemory::Allocate(std::string name, uint64_t size, bool writable) {
  const uint64_t offset = Place(queue_bytes_, limit_, size);
  if (offset == limit_) {
    uint64_t taken = queue_bytes_;
    for (const Region& region : regions_) taken += Extent(region.size);
    ThrowBadInput(
        "'{}' needs {} bytes of device memory and a gap behind them: expected at most {}, what is "
        "free of {}",
        name, size, limit_ - std::min(limit_, taken), limit_);
  }
  Put({std::move(name), base_ + offset, size, writable});
  return base_ + offset;
}

void DeviceMemory::AllocateAt(std::string name, uint64_t address, uint64_t size, bool writable) {
  const uint64_t offset = address - base_;
  const bool inside = address >= base_ && offset % kAlignment == 0 && offset >= queue_bytes_ &&
                      offset < limit_ && size <= limit_ && Extent(size) <= limit_ - offset;
  if (!inside) {
    ThrowBadInput("'{}' of {} bytes at {:#x}: expected a multiple of {} between {:#x} and {:#x}",
                  name, size, address, kAlignment, base_ + queue_bytes_, base_ + limit_);
  }
  for (const Region& other : regions_) {
    if (other.address >= address + Extent(size)) break;
    if (other.address + Extent(other.size) <= address) continue;
    ThrowBadInput("'{}' at {:#x} lies where '{}' is, or too near to it", name, address, other.name);
  }
  has_holes_ = true;
  Put({std::move(name), address, size, writable});
}

uint64_t DeviceMemory::AllocateQueue(std::string name, uint64_t size) {
  if (queue_bytes_ == 0) return Allocate(std::move(name), size, /*writable=*/false);
  const uint64_t offset = Place(0, queue_bytes_, size);
  if (offset == queue_bytes_) {
    ThrowRunFailed("a TB queue of {} bytes does not fit beside the others into {} bytes", size,
                   queue_bytes_);
  }
  Put({std::move(name), base_ + offset, size, /*writable=*/false});
  return base_ + offset;
}

uint64_t DeviceMemory::AllocateApart(std::string name, uint64_t size) {
  const uint64_t needed = Extent(size);
  uint64_t end = queue_bytes_;
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
    const uint64_t offset = region->address - base_;
    if (offset >= end) continue;
    if (needed <= end && offset + Extent(region->size) <= end - needed) break;
    end = offset;
  }
  if (size > end || needed > end) return Allocate(std::move(name), size);
  Put({std::move(name), base_ + end - needed, size, /*writable=*/true});
  return base_ + end - needed;
}

void DeviceMemory::Free(uint64_t address) {
  const auto region =
      std::lower_bound(regions_.begin(), regions_.end(), address,
                       [](const Region& other, uint64_t wanted) { return other.address < wanted; });
  if (region == regions_.end() || region->address != address) {
    ThrowInternal("no region of device memory begins at {:#x}", address);
  }
  const uint64_t granule = (address - base_) / kAlignment;
  SetMissing(granule, granule + RoundUp(region->size, kAlignment) / kAlignment, kAlignment);
  regions_.erase(region);
  has_holes_ = true;
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
