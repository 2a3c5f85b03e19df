// Little-endian encoding of TB groups.
#include "kernels/launch/tb_queue_image.h"

#include <fmt/format.h>

#include <iterator>
#include <span>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint64_t kDescriptorBytes = 16;
constexpr uint64_t kSectorBytes = 32;

uint64_t RoundedUp(uint64_t offset) {
  return (offset + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
}

// Where in the image a group of `bytes` begins that comes at `offset` or later.
uint64_t Begin(uint64_t offset, uint64_t bytes, TbQueueLayout layout) {
  const bool fits = offset % kSectorBytes + bytes <= kSectorBytes;
  return layout == TbQueueLayout::kPacked || fits ? offset : RoundedUp(offset);
}

void CheckIdBytes(uint32_t id_bytes) {
  if (id_bytes != 2 && id_bytes != 4) {
    ThrowInternal("a TB id of {} bytes, expected 2 or 4", id_bytes);
  }
}

void Put(std::vector<std::byte>& bytes, uint64_t value, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
}

uint64_t Get(const std::vector<std::byte>& bytes, uint64_t offset, uint32_t count) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < count; ++i) {
    value |= std::to_integer<uint64_t>(bytes[offset + i]) << (8 * i);
  }
  return value;
}

struct Descriptor {
  uint64_t first = 0;  // device address of the group's first id
  uint64_t last = 0;   // and of its last one, inclusive
};

// Throws unless the ids lie behind the descriptors, inside the image, aligned.
Descriptor GetDescriptor(const TbQueueImage& image, uint32_t index) {
  const Descriptor descriptor = {Get(image.bytes, index * kDescriptorBytes, 8),
                                 Get(image.bytes, index * kDescriptorBytes + 8, 8)};
  const uint64_t ids = image.base + image.descriptor_count * kDescriptorBytes;
  const uint64_t end = image.base + image.bytes.size();
  if (descriptor.first < ids || descriptor.last < descriptor.first || descriptor.last >= end ||
      end - descriptor.last < image.id_bytes || (descriptor.first - ids) % image.id_bytes != 0 ||
      (descriptor.last - ids) % image.id_bytes != 0) {
    ThrowInternal("TB queue descriptor {} is {:#x} to {:#x}, expected ids within {:#x} to {:#x}",
                  index, descriptor.first, descriptor.last, ids, end);
  }
  return descriptor;
}

void CheckImage(const TbQueueImage& image) {
  CheckIdBytes(image.id_bytes);
  if (image.bytes.size() < image.descriptor_count * kDescriptorBytes) {
    ThrowInternal("a TB queue image of {} bytes is too short for {} descriptors",
                  image.bytes.size(), image.descriptor_count);
  }
}

std::vector<uint32_t> GetGroup(const TbQueueImage& image, const Descriptor& descriptor) {
  std::vector<uint32_t> group;
  group.reserve((descriptor.last - descriptor.first) / image.id_bytes + 1);
  for (uint64_t at = descriptor.first; at <= descriptor.last; at += image.id_bytes) {
    group.push_back(static_cast<uint32_t>(Get(image.bytes, at - image.base, image.id_bytes)));
  }
  return group;
}

}  // namespace

uint32_t IdBytes(uint64_t tb_count) {
  if (tb_count > uint64_t{1} << 32) {
    ThrowBadInput("grid of {} TBs, expected at most {}: TB ids have 32 bits", tb_count,
                  uint64_t{1} << 32);
  }
  return tb_count <= uint64_t{1} << 16 ? 2 : 4;
}

uint64_t ImageSize(const TbGroups& groups, uint32_t id_bytes, TbQueueLayout layout) {
  CheckIdBytes(id_bytes);
  uint64_t size = groups.groups.size() * kDescriptorBytes;
  for (const std::vector<uint32_t>& group : groups.groups) {
    const uint64_t bytes = group.size() * id_bytes;
    size = Begin(size, bytes, layout) + bytes;
  }
  return layout == TbQueueLayout::kPacked ? size : RoundedUp(size);
}

TbQueueImage EncodeTbQueue(const TbGroups& groups, uint64_t base, uint32_t id_bytes,
                           TbQueueLayout layout) {
  const uint64_t aligned = layout == TbQueueLayout::kPacked ? kDescriptorBytes : kSectorBytes;
  if (base % aligned != 0) {
    ThrowInternal("TB queue at {:#x}, expected a multiple of {} bytes", base, aligned);
  }
  TbQueueImage image;
  image.id_bytes = id_bytes;
  image.base = base;
  image.descriptor_count = static_cast<uint32_t>(groups.groups.size());
  const uint64_t size = ImageSize(groups, id_bytes, layout);
  image.bytes.reserve(size);

  uint64_t end = groups.groups.size() * kDescriptorBytes;
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    if (groups.groups[i].empty()) ThrowInternal("TB group {} is empty", i);
    const uint64_t bytes = groups.groups[i].size() * id_bytes;
    const uint64_t begin = Begin(end, bytes, layout);
    end = begin + bytes;
    Put(image.bytes, base + begin, 8);
    Put(image.bytes, base + end - id_bytes, 8);
  }
  for (const std::vector<uint32_t>& group : groups.groups) {
    image.bytes.resize(Begin(image.bytes.size(), group.size() * id_bytes, layout));
    for (const uint32_t tb : group) {
      if (id_bytes == 2 && tb > 0xffff) ThrowInternal("TB id {} does not fit in 2 bytes", tb);
      Put(image.bytes, tb, id_bytes);
    }
  }
  image.bytes.resize(size);
  return image;
}

TbGroups DecodeTbQueue(const TbQueueImage& image) {
  CheckImage(image);
  TbGroups groups;
  groups.groups.reserve(image.descriptor_count);
  for (uint32_t i = 0; i < image.descriptor_count; ++i) {
    groups.groups.push_back(GetGroup(image, GetDescriptor(image, i)));
  }
  return groups;
}

std::string DumpTbQueue(const TbQueueImage& image) {
  CheckImage(image);
  std::string text =
      fmt::format("TB queue image: {} bytes at {:#x}, {} descriptors, {}-byte ids\n",
                  image.bytes.size(), image.base, image.descriptor_count, image.id_bytes);
  for (uint32_t i = 0; i < image.descriptor_count; ++i) {
    const Descriptor descriptor = GetDescriptor(image, i);
    fmt::format_to(std::back_inserter(text), "{:#x}: first {:#x} last {:#x} ids {}\n",
                   image.base + i * kDescriptorBytes, descriptor.first, descriptor.last,
                   fmt::join(GetGroup(image, descriptor), " "));
  }
  return text;
}

}  // namespace flagstone
