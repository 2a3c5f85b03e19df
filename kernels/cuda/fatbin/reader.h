// The PTX in a fat binary, as nvcc and the kit's look-alike embed it in a program.
//
// A container, little-endian: u32 0xBA55ED50; u16 version; u16 bytes of this header (16); u64 bytes
// after it; entries, each
//   0 u16 kind (1 PTX, 2 SASS)  2 u16 version   4 u32 bytes of this header (64 and what follows it)
//   8 u64 bytes of the payload, padded  16 u32 bytes of it when compressed, 0: it is not
//   20 u32 offset of the options' record, 0: none   28 u32 architecture (75)
//   40 u64 flags: 0x2000 an LZ4 block, 0x8000 a Zstandard frame     56 u64 bytes when unpacked
// An options' record: u32 offset of the text, u32 its bytes, the text: " -maxrregcount=32 ".
// Measured on what nvcc 13.0 writes.
#ifndef FLAGSTONE_KERNELS_CUDA_FATBIN_READER_H_
#define FLAGSTONE_KERNELS_CUDA_FATBIN_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flagstone::cuda {

struct DeviceCode {
  std::string ptx;  // of the highest architecture
  uint32_t architecture = 0;
  std::optional<uint32_t> registers;  // of a thread, at most, where an option says so
};

// Any bytes may come: throws kBadInput, in one line, for what is no container, ends early, or has
// no PTX (then it says what to compile with).
DeviceCode ReadFatBinary(std::string_view bytes);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_FATBIN_READER_H_
