// The GPU's global memory: named buffers at fixed addresses in one flat, bounds-checked image.
#ifndef FLAGSTONE_KERNELS_LAUNCH_DEVICE_MEMORY_H_
#define FLAGSTONE_KERNELS_LAUNCH_DEVICE_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagstone {

// Where the first buffer begins, and the bytes that stay free after each, both multiples of
// DeviceMemory::kAlignment. Without a gap an access just past an end is another buffer's.
struct MemoryLayout {
  static constexpr uint64_t kBase32 = 0x1000'0000;  // where pointers have 32 bits

  uint64_t base = 0x1'0000'0000;
  uint64_t gap = 256;
  // Bytes from the base on that are kept for TB queues and what kernels need beside buffers, so
  // that buffers lie where they lie under any policy; 0: queues come after the buffers.
  uint64_t queue_bytes = 0;

  static MemoryLayout For(int address_bits) {
    MemoryLayout layout;
    if (address_bits == 32) layout.base = kBase32;
    return layout;
  }
};

// The bytes themselves: of their own, or those of a mapping that another process shares. A copy has
// bytes of its own; what is assigned to a mapping goes into it.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  explicit DeviceBytes(std::span<std::byte> mapping) : data_(mapping.data()), mapped_(true) {}
  DeviceBytes(const DeviceBytes& other) { *this = other; }
  DeviceBytes(DeviceBytes&& other) noexcept { Take(&other); }
  DeviceBytes& operator=(const DeviceBytes& other) {
    if (this == &other) return *this;
    Resize(other.size_);
    if (size_ != 0) std::memcpy(data_, other.data_, size_);
    return *this;
  }
  DeviceBytes& operator=(DeviceBytes&& other) noexcept {
    Take(&other);
    return *this;
  }
  ~DeviceBytes() = default;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }
  // New bytes are zero; those of a mapping are as it has them.
  void Resize(uint64_t size) {
    if (!mapped_) {
      if (size > room_) Reserve(std::max(size, room_ + room_ / 2));
      // What lies behind the end stays zero, for what comes there next.
      if (size < size_) std::memset(data_ + size, 0, size_ - size);
    }
    size_ = size;
  }
  // That so many will come: they are not moved then. Pages take time and room only once they are
  // used.
  void Reserve(uint64_t size) {
    if (mapped_ || size <= room_) return;
    std::unique_ptr<std::byte[], Free> larger(static_cast<std::byte*>(std::calloc(size, 1)));
    if (larger == nullptr) throw std::bad_alloc();
    if (size_ != 0) std::memcpy(larger.get(), data_, size_);
    own_ = std::move(larger);
    data_ = own_.get();
    room_ = size;
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  void Take(DeviceBytes* other) {
    own_ = std::move(other->own_);
    data_ = std::exchange(other->data_, nullptr);
    size_ = std::exchange(other->size_, 0);
    room_ = std::exchange(other->room_, 0);
    mapped_ = std::exchange(other->mapped_, false);
  }

  std::unique_ptr<std::byte[], Free> own_;
  uint64_t room_ = 0;  // bytes of its own
  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
  bool mapped_ = false;
};

// Buffers are 256-byte aligned, in the order of allocation, with a gap after each, so that an
// access just past an end is caught. What Free gives back is used again.
class DeviceMemory {
 public:
  static constexpr uint64_t kEnd32 = 0xF000'0000;  // pointers of 32 bits: nothing lies above
  static constexpr uint64_t kAlignment = 256;
  static constexpr uint64_t kMaxBytes = uint64_t{16} << 30;  // with gaps; the host holds them all

  // For programs whose pointers have 64 or 32 bits; with 32, the base lies below kEnd32.
  DeviceMemory() : DeviceMemory(64) {}
  explicit DeviceMemory(int address_bits)
      : DeviceMemory(address_bits, MemoryLayout::For(address_bits)) {}
  DeviceMemory(int address_bits, const MemoryLayout& layout)
      : base_(layout.base),
        gap_(layout.gap),
        limit_(address_bits == 64 ? kMaxBytes : kEnd32 - layout.base),
        queue_bytes_(layout.queue_bytes) {}
  // In a mapping of `limit` bytes, all zero.
  DeviceMemory(std::span<std::byte> mapping, const MemoryLayout& layout)
      : base_(layout.base),
        gap_(layout.gap),
        limit_(mapping.size()),
        queue_bytes_(layout.queue_bytes),
        bytes_(mapping) {}

  struct Region {
    std::string name;
    uint64_t address = 0;  // byte address on the device
    uint64_t size = 0;     // bytes
    bool writable = true;
  };

  // That regions of these sizes will come: a hint, by which none is moved.
  void Expect(std::span<const uint64_t> sizes);

  // Returns the new region's address; contents are zero. size may be 0. Throws kBadInput when all
  // regions together would need more than kMaxBytes, or than 32-bit pointers reach.
  uint64_t Allocate(std::string name, uint64_t size, bool writable = true);

  // The same at a place of the caller's. Throws kBadInput where another region, or its gap, is.
  void AllocateAt(std::string name, uint64_t address, uint64_t size, bool writable = true);
  // A read-only region among the layout's queue_bytes, or where there are none, as any other.
  uint64_t AllocateQueue(std::string name, uint64_t size);
  // A region at the end of the layout's queue_bytes, so that it lies alike whatever buffers there
  // are; where they have no room, as any other.
  uint64_t AllocateApart(std::string name, uint64_t size);
  // Takes away the region that begins there.
  void Free(uint64_t address);

  // The region that holds all of [address, address + size), or null.
  const Region* Find(uint64_t address, uint64_t size) const;
  const Region& Named(std::string_view name) const;  // throws kBadInput if there is none
  const std::vector<Region>& regions() const { return regions_; }
  bool IsAmongQueues(const Region& region) const { return region.address - base_ < queue_bytes_; }

  // Fast paths for the simulator: `address` must lie in a region (checked by the caller with Find,
  // or by Check below).
  bool Holds(uint64_t address, uint64_t size) const {
    const uint64_t offset = address - base_;
    if (offset >= bytes_.size() || size > kAlignment) return Find(address, size) != nullptr;
    const uint64_t granule = offset / kAlignment;
    const uint64_t end = offset + size - granule * kAlignment;
    const uint64_t missing = Missing(granule);
    if (end <= kAlignment - missing) return true;
    return end > kAlignment && missing == 0 && granule + 1 < Granules() &&
           end <= 2 * kAlignment - Missing(granule + 1);
  }
  std::byte* At(uint64_t address) { return bytes_.data() + (address - base_); }
  const std::byte* At(uint64_t address) const { return bytes_.data() + (address - base_); }

  std::span<std::byte> Bytes(const Region& region) { return {At(region.address), region.size}; }
  std::span<const std::byte> Bytes(const Region& region) const {
    return {At(region.address), region.size};
  }

 private:
  uint64_t Extent(uint64_t size) const;  // with the gap
  uint64_t Granules() const { return missing_.size() / sizeof(uint16_t); }
  uint64_t Missing(uint64_t granule) const {
    uint16_t bytes = 0;
    std::memcpy(&bytes, missing_.data() + granule * sizeof(bytes), sizeof(bytes));
    return bytes;
  }
  void SetMissing(uint64_t begin, uint64_t end, uint64_t bytes);  // of granules
  // The lowest offset in [begin, end) where a region of this size has room; `end`: there is none.
  uint64_t Place(uint64_t begin, uint64_t end, uint64_t size) const;
  void Put(Region region);

  uint64_t base_;
  uint64_t gap_;
  uint64_t limit_;  // bytes of all regions together
  uint64_t queue_bytes_;
  bool has_holes_ = false;       // between regions, besides gaps
  std::vector<Region> regions_;  // ascending addresses
  DeviceBytes bytes_;
  // By granule of kAlignment bytes: how many of them, at its end, no region has. Pages of zeros,
  // which are whole granules, take neither time nor room.
  DeviceBytes missing_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_DEVICE_MEMORY_H_
