// A tensor map: how a box of a tensor in global memory, or pixels of images, are copied to shared
// memory and back (CUDA driver API, "Tensor Map Object Management"; PTX ISA, section 5.5). What the
// 128 bytes of one hold, NVIDIA leaves open; here they are this structure.
#ifndef FLAGSTONE_KERNELS_LAUNCH_TENSOR_MAP_H_
#define FLAGSTONE_KERNELS_LAUNCH_TENSOR_MAP_H_

#include <array>
#include <cstdint>

namespace flagstone {

// How units of 16 bytes change places in shared memory: by the address's bits from 7 on, so many of
// them, which are combined with those from 4 on.
enum class TensorSwizzle : uint8_t { kNone, k32, k64, k128 };

// Where the unit at this address of shared memory lies. `rows`: by how many 128 bytes the pattern
// begins behind a multiple of its own size.
inline uint64_t Swizzled(uint64_t address, TensorSwizzle swizzle, uint64_t rows = 0) {
  const uint64_t mask = (uint64_t{1} << static_cast<unsigned>(swizzle)) - 1;
  return address ^ ((((address >> 7) - rows) & mask) << 4);
}

// In the order of tensormap.replace's numbers, one higher (PTX ISA, section 9.7.9.28).
enum class TensorType : uint8_t {
  kUnknown,  // of a launch file that gives the size alone
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF32Ftz,
  kF64,
  kBf16,
  kTf32,
  kTf32Ftz,
};
inline constexpr uint64_t SizeOf(TensorType type) {
  constexpr std::array<uint8_t, 14> kBytes = {0, 1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
  return kBytes[static_cast<size_t>(type)];
}

struct TensorMap {
  static constexpr uint64_t kMagic = 0x70616d20726f736e;  // "nsor map"
  static constexpr uint32_t kMostDimensions = 5;
  static constexpr uint32_t kMostImageDimensions = 3;  // width, height, depth
  static constexpr uint64_t kBytes = 128;              // of a CUtensorMap

  uint64_t magic = kMagic;
  // Nothing: programs of CUTLASS clear bit 21 of a map's second word, as a way around a fault of
  // the driver's maps of less than 128 KiB.
  uint64_t free = 0;
  uint64_t base = 0;                                              // address of the first element
  std::array<uint64_t, kMostDimensions> strides = {};             // bytes; [0]: of an element
  std::array<uint32_t, kMostDimensions> shape = {1, 1, 1, 1, 1};  // elements
  // Elements; of images [0] is channels of a pixel and [1] pixels of a column.
  std::array<uint16_t, kMostDimensions> box = {1, 1, 1, 1, 1};
  std::array<uint8_t, kMostDimensions> steps = {1, 1, 1, 1, 1};  // between elements of the box
  uint8_t dimensions = 1;
  TensorSwizzle swizzle = TensorSwizzle::kNone;
  bool nan = false;  // floats outside of the tensor read as NaN, else as 0
  TensorType type = TensorType::kUnknown;
  // The tensor holds images: channels, width, perhaps height and depth, and the number of the image
  // are its dimensions. The corners of the box that pixels are taken from, as offsets from the
  // image's first pixel and from its last one.
  bool images = false;
  std::array<int16_t, kMostImageDimensions> lower = {};
  std::array<int16_t, kMostImageDimensions> upper = {};

  uint64_t ElementBytes() const { return strides[0]; }
  // Elements of the box in one dimension that are copied.
  uint32_t Copied(uint32_t d) const {
    if (d >= dimensions) return 1;
    return images ? box[d] : (box[d] + steps[d] - 1U) / steps[d];
  }
  uint64_t BoxBytes() const {
    uint64_t bytes = ElementBytes();
    for (uint32_t d = 0; d < (images ? 2U : dimensions); ++d) bytes *= Copied(d);
    return bytes;
  }
};
static_assert(sizeof(TensorMap) <= TensorMap::kBytes);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_TENSOR_MAP_H_
