// TB groups as bytes in GPU memory, where the analyzer and the TB scheduler's RTL meet (PAVER,
// section 5.1, Fig. 8).
#ifndef FLAGSTONE_KERNELS_LAUNCH_TB_QUEUE_IMAGE_H_
#define FLAGSTONE_KERNELS_LAUNCH_TB_QUEUE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/launch/tb_groups.h"

namespace flagstone {

// Little-endian. First the global queue: one 16-byte descriptor per group, {u64 address of the
// first id, u64 address of the last id}, 16-byte aligned. Then the ids, contiguous per group.
struct TbQueueImage {
  uint32_t id_bytes = 2;  // 2, or 4 when the grid needs it
  uint64_t base = 0;      // device address of bytes[0] and of the first descriptor
  uint32_t descriptor_count = 0;
  std::vector<std::byte> bytes;
};

// How groups follow each other: without gaps, or so that each lies in as few 32 B sectors as it
// can, for hardware that reads ids by the sector; the image then ends with a whole sector.
enum class TbQueueLayout : uint8_t { kPacked, kSectors };

// 2 up to 65,536 TBs, else 4; throws kBadInput for more TBs than 4-byte ids can name.
uint32_t IdBytes(uint64_t tb_count);

// Bytes of the image of `groups`; id_bytes is 2 or 4.
uint64_t ImageSize(const TbGroups& groups, uint32_t id_bytes,
                   TbQueueLayout layout = TbQueueLayout::kPacked);

// Throws kInternal for an empty group (the hardware has no way to say it), a base that is not
// aligned to 16 bytes, or to a sector, an id_bytes other than 2 or 4, or a TB id that does not fit.
TbQueueImage EncodeTbQueue(const TbGroups& groups, uint64_t base, uint32_t id_bytes,
                           TbQueueLayout layout = TbQueueLayout::kPacked);

// The inverse, for tests and --dump. Whether stealing is on is not in the image: it comes back
// off. Throws kInternal for a descriptor that points outside the ids.
TbGroups DecodeTbQueue(const TbQueueImage& image);

// For `--dump image`: a line of facts, then one line per descriptor with its ids, all with their
// device addresses.
std::string DumpTbQueue(const TbQueueImage& image);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_TB_QUEUE_IMAGE_H_
