// FNV-1a, 64 bits: tells inputs apart in results. Not for hash tables, and no defence against
// intent.
#ifndef FLAGSTONE_BASE_HASH_H_
#define FLAGSTONE_BASE_HASH_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

class Fnv1a {
 public:
  void Add(std::string_view bytes) {
    for (const char byte : bytes) AddByte(static_cast<uint8_t>(byte));
  }

  // Little-endian, whatever the machine.
  void Add(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) AddByte(static_cast<uint8_t>(value >> shift));
  }

  uint64_t Value() const { return state_; }

 private:
  void AddByte(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001b3U; }

  uint64_t state_ = 0xcbf29ce484222325U;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_HASH_H_
