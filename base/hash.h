// FNV-1a: tells inputs apart in results (64 bits), and among millions of them (128 bits). Not for
// hash tables, and no defence against intent.
#ifndef FLAGSTONE_BASE_HASH_H_
#define FLAGSTONE_BASE_HASH_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
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
    for (const char byte : bytes) state_ = (state_ ^ static_cast<uint8_t>(byte)) * kPrime;
  }

  // Eight bytes at a time, the last ones with zeros behind them: eight times as fast, and another
  // value than Add's. Little-endian machines alone.
  void AddWords(std::string_view bytes) {
    for (size_t at = 0; at < bytes.size(); at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
      state_ = (state_ ^ word) * kPrime;
    }
  }

  uint64_t High() const { return static_cast<uint64_t>(state_ >> 64); }
  uint64_t Low() const { return static_cast<uint64_t>(state_); }

 private:
  __extension__ using Uint128 = unsigned __int128;
  static constexpr Uint128 kPrime = (Uint128{1} << 88) + 0x13b;
  Uint128 state_ = (Uint128{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_HASH_H_
