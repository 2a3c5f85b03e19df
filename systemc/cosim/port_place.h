// Where a port lies in its block's struct, so that its values are moved without a call for each:
// lane by lane, or whole, as the RTL has it, with all lanes one behind the other.
#ifndef FLAGSTONE_SYSTEMC_COSIM_PORT_PLACE_H_
#define FLAGSTONE_SYSTEMC_COSIM_PORT_PLACE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gpu_model/blocks/common/masks.h"
#include "gpu_model/blocks/field.h"

namespace flagstone {

static_assert(std::endian::native == std::endian::little);

struct PortPlace {
  ptrdiff_t offset = 0;     // bytes, in the struct
  uint32_t lane_bytes = 0;  // 1, 2, 4, 8 or 16; 0: lanes are bits of words of 64
  uint32_t width = 1, lanes = 1;

  uint32_t Bits() const { return width * lanes; }  // in the RTL
  // It lies in the struct as in the RTL, in whole words.
  bool IsWords() const { return lane_bytes == 0 || (lane_bytes >= 8 && 8 * lane_bytes == width); }
};

// `ports`: any struct of the table's type.
template <class Ports>
PortPlace PlaceOf(const Field<Ports>& field, const Ports& ports) {
  const auto* at = static_cast<const std::byte*>(field.place(ports));
  return {at - reinterpret_cast<const std::byte*>(&ports), field.lane_bytes, field.width,
          field.lanes};
}

template <class Value>
uint64_t LoadAs(const std::byte* at) {
  Value value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}
template <class Value>
void StoreAs(uint64_t from, std::byte* at) {
  const auto value = static_cast<Value>(from);
  std::memcpy(at, &value, sizeof(value));
}

// A lane of up to 64 bits; of a wider one its bits from 64 * `word` on.
inline uint64_t LoadLane(const PortPlace& place, const std::byte* ports, uint32_t lane,
                         uint32_t word = 0) {
  const std::byte* at = ports + place.offset + size_t{lane} * place.lane_bytes;
  switch (place.lane_bytes) {
    case 0:
      return LoadAs<uint64_t>(at + size_t{lane} / 64 * 8) >> (lane % 64) & 1;
    case 1:
      return LoadAs<uint8_t>(at);
    case 2:
      return LoadAs<uint16_t>(at);
    case 4:
      return LoadAs<uint32_t>(at);
    default:
      return LoadAs<uint64_t>(at + size_t{word} * 8);
  }
}

// `value` must fit.
inline void StoreLane(const PortPlace& place, uint64_t value, uint32_t lane, std::byte* ports,
                      uint32_t word = 0) {
  std::byte* at = ports + place.offset + size_t{lane} * place.lane_bytes;
  switch (place.lane_bytes) {
    case 0: {
      at += size_t{lane} / 64 * 8;
      const uint64_t bit = uint64_t{1} << (lane % 64);
      return StoreAs<uint64_t>((LoadAs<uint64_t>(at) & ~bit) | (value != 0 ? bit : 0), at);
    }
    case 1:
      return StoreAs<uint8_t>(value, at);
    case 2:
      return StoreAs<uint16_t>(value, at);
    case 4:
      return StoreAs<uint32_t>(value, at);
    default:
      return StoreAs<uint64_t>(value, at + size_t{word} * 8);
  }
}

// Calls move(lane, its word, bit of the word, bit of the port, count) for all bits of a port, in
// pieces that cross no word on either side.
template <class Move>
void ForEachPiece(const PortPlace& place, Move move) {
  for (uint32_t lane = 0, at = 0; lane < place.lanes; ++lane) {
    for (uint32_t bit = 0, count = 0; bit < place.width; bit += count, at += count) {
      count = std::min({place.width - bit, 64 - bit % 64, 64 - at % 64});
      move(lane, bit / 64, bit % 64, at, count);
    }
  }
}

// Sets all lanes from `words`, whose bits beyond the port are ignored.
inline void StoreWords(const PortPlace& place, const uint64_t* words, std::byte* ports) {
  const uint32_t whole = place.Bits() / 64, rest = place.Bits() % 64;
  if (place.IsWords()) {
    std::byte* at = ports + place.offset;
    for (uint32_t i = 0; i < whole; ++i) StoreAs<uint64_t>(words[i], at + size_t{i} * 8);
    if (rest != 0) StoreAs<uint64_t>(words[whole] & MaskOf(rest), at + size_t{whole} * 8);
    return;
  }
  uint64_t value = 0;
  ForEachPiece(place, [&](uint32_t lane, uint32_t word, uint32_t bit, uint32_t at, uint32_t count) {
    if (bit == 0) value = 0;
    value |= (words[at / 64] >> (at % 64) & MaskOf(count)) << bit;
    StoreLane(place, value, lane, ports, word);
  });
}

// Writes (width * lanes + 63) / 64 words; bits beyond the port are zero.
inline void LoadWords(const PortPlace& place, const std::byte* ports, uint64_t* words) {
  const uint32_t whole = place.Bits() / 64, rest = place.Bits() % 64;
  if (place.IsWords()) {
    const std::byte* at = ports + place.offset;
    for (uint32_t i = 0; i < whole; ++i) words[i] = LoadAs<uint64_t>(at + size_t{i} * 8);
    if (rest != 0) words[whole] = LoadAs<uint64_t>(at + size_t{whole} * 8) & MaskOf(rest);
    return;
  }
  std::fill(words, words + whole + (rest != 0 ? 1 : 0), 0);
  ForEachPiece(place, [&](uint32_t lane, uint32_t word, uint32_t bit, uint32_t at, uint32_t count) {
    words[at / 64] |= (LoadLane(place, ports, lane, word) >> bit & MaskOf(count)) << (at % 64);
  });
}

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_PORT_PLACE_H_
