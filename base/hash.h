// FNV-1a: tells inputs apart in results (64 bits), and among millions of them (128 bits). Not for
// hash tables, and no defence against intent.
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

// 128 bits: two of ten million texts have the same value with a chance of 10^-25.
class Fnv1a128 {
 public:
  void Add(std::string_view bytes) {
    constexpr Uint128 kPrime = (Uint128{1} << 88) + 0x13b;
    for (const char byte : bytes) state_ = (state_ ^ static_cast<uint8_t>(byte)) * kPrime;
  }

  uint64_t High() const { return static_cast<uint64_t>(state_ >> 64); }
  uint64_t Low() const { return static_cast<uint64_t>(state_); }

 private:
  __extension__ using Uint128 = unsigned __int128;
  Uint128 state_ = (Uint128{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_HASH_H_
