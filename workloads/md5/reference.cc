// MD5 as RFC 1321 has it, byte by byte.
#include "workloads/reference.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace flagstone {
namespace {

uint32_t LittleEndian(std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(bytes[0]) | static_cast<uint32_t>(bytes[1]) << 8 |
         static_cast<uint32_t>(bytes[2]) << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

void AddBlock(std::span<const uint8_t> block, std::array<uint32_t, 4>& state) {
  static constexpr int kShifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t round = i / 16;
    const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                           : round == 1 ? (b & d) | (c & ~d)
                           : round == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
    const uint32_t word = (round == 0   ? i
                           : round == 1 ? 1 + 5 * i
                           : round == 2 ? 5 + 3 * i
                                        : 7 * i) %
                          16;
    const auto sine = static_cast<uint32_t>(std::floor(std::abs(std::sin(i + 1.0)) * 0x1p32));
    const uint32_t sum = a + mixed + LittleEndian(block.subspan(size_t{4} * word, 4)) + sine;
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[round][i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

std::array<uint32_t, 4> Md5(std::span<const uint8_t> data) {
  std::vector<uint8_t> message(data.begin(), data.end());
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int i = 0; i < 8; ++i) {
    message.push_back(static_cast<uint8_t>(uint64_t{8} * data.size() >> (8 * i)));
  }
  std::array<uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (size_t begin = 0; begin < message.size(); begin += 64) {
    AddBlock(std::span(message).subspan(begin, 64), state);
  }
  return state;
}

}  // namespace

void ComputeMd5(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const bool overlap = data.Entry(launch) == "md5_overlap";
    const size_t length = data.Extent(launch, 1);
    const size_t stride = overlap ? data.Extent(launch, 2) / 4 * 4 : (length + 3) / 4 * 4;
    const size_t count = data.Extent(launch, overlap ? 3 : 2);
    if (count == 0) continue;
    const auto bytes = data.Buffer<uint8_t>(launch, 0, (count - 1) * stride + length);
    const auto digests = data.Buffer<uint32_t>(launch, overlap ? 4 : 3, 4 * count);
    for (size_t i = 0; i < count; ++i) {
      const std::array<uint32_t, 4> digest = Md5(bytes.subspan(i * stride, length));
      for (size_t w = 0; w < 4; ++w) digests[4 * i + w] = digest[w];
    }
  }
}

}  // namespace flagstone
