// Bits in and out of a Verilated port's storage.
#ifndef FLAGSTONE_SYSTEMC_COSIM_PORT_ACCESS_H_
#define FLAGSTONE_SYSTEMC_COSIM_PORT_ACCESS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/error.h"
#include "gpu_model/blocks/field.h"
#include "systemc/cosim/block_abi.h"

namespace flagstone {

static_assert(std::endian::native == std::endian::little);

// The port `name` + `suffix` ("_i", "_o") of a body, which must have `bits`. Throws kInternal.
inline const BlockPort& FindPort(std::span<const BlockPort> ports, std::string_view name,
                                 std::string_view suffix, uint32_t bits) {
  for (const BlockPort& port : ports) {
    const std::string_view candidate = port.name;
    if (candidate.size() != name.size() + suffix.size() || !candidate.starts_with(name) ||
        !candidate.ends_with(suffix)) {
      continue;
    }
    if (port.bits == bits) return port;
    ThrowInternal("RTL port {} has {} bits, its C++ description {}", candidate, port.bits, bits);
  }
  ThrowInternal("the RTL has no port {}{}", name, suffix);
}

// A port of up to 64 bits.
inline uint64_t LoadPort(const BlockPort& port) {
  if (port.bits <= 8) return *static_cast<const uint8_t*>(port.data);
  if (port.bits <= 16) return *static_cast<const uint16_t*>(port.data);
  if (port.bits <= 32) return *static_cast<const uint32_t*>(port.data);
  return *static_cast<const uint64_t*>(port.data);
}

// `value` must fit.
inline void StorePort(const BlockPort& port, uint64_t value) {
  if (port.bits <= 8) {
    *static_cast<uint8_t*>(port.data) = static_cast<uint8_t>(value);
  } else if (port.bits <= 16) {
    *static_cast<uint16_t*>(port.data) = static_cast<uint16_t>(value);
  } else if (port.bits <= 32) {
    *static_cast<uint32_t*>(port.data) = static_cast<uint32_t>(value);
  } else {
    *static_cast<uint64_t*>(port.data) = value;
  }
}

inline uint64_t LowBits(uint32_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// Bits [offset +: width] of any port; width 1 to 128.
inline FieldValue LoadBits(const BlockPort& port, uint32_t offset, uint32_t width) {
  if (port.bits <= 64) return {(LoadPort(port) >> offset) & LowBits(width), 0};
  const auto* words = static_cast<const uint32_t*>(port.data);
  FieldValue value = {};
  for (uint32_t done = 0; done < width;) {
    const uint32_t at = offset + done;
    const uint32_t count = std::min({32 - at % 32, width - done, 64 - done % 64});
    const uint64_t bits = (uint64_t{words[at / 32]} >> (at % 32)) & LowBits(count);
    value[done / 64] |= bits << (done % 64);
    done += count;
  }
  return value;
}

inline void StoreBits(const BlockPort& port, uint32_t offset, uint32_t width,
                      const FieldValue& value) {
  if (port.bits <= 64) {
    const uint64_t mask = LowBits(width);
    StorePort(port, (LoadPort(port) & ~(mask << offset)) | ((value[0] & mask) << offset));
    return;
  }
  auto* words = static_cast<uint32_t*>(port.data);
  for (uint32_t done = 0; done < width;) {
    const uint32_t at = offset + done;
    const uint32_t count = std::min({32 - at % 32, width - done, 64 - done % 64});
    const auto mask = static_cast<uint32_t>(LowBits(count) << (at % 32));
    const auto bits = static_cast<uint32_t>((value[done / 64] >> (done % 64)) << (at % 32));
    words[at / 32] = (words[at / 32] & ~mask) | (bits & mask);
    done += count;
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_PORT_ACCESS_H_
