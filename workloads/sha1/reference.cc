// SHA-1 as FIPS 180-4 has it, byte by byte.
#include "workloads/reference.h"

#include <array>
#include <bit>
#include <vector>

namespace flagstone {
namespace {

using State = std::array<uint32_t, 5>;

void AddBlock(std::span<const uint8_t> block, State& state) {
  std::vector<uint32_t> words;
  for (size_t t = 0; t < 16; ++t) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; ++i) word = word << 8 | block[4 * t + i];
    words.push_back(word);
  }
  for (size_t t = 16; t < 80; ++t) {
    words.push_back(std::rotl(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1));
  }
  auto [a, b, c, d, e] = state;
  for (size_t t = 0; t < 80; ++t) {
    const std::array<uint32_t, 4> functions = {(b & c) ^ (~b & d), b ^ c ^ d,
                                               (b & c) ^ (b & d) ^ (c & d), b ^ c ^ d};
    constexpr std::array<uint32_t, 4> kConstants = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const uint32_t next = std::rotl(a, 5) + functions[t / 20] + e + kConstants[t / 20] + words[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

State Sha1(std::span<const uint8_t> data) {
  std::vector<uint8_t> message(data.begin(), data.end());
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int i = 7; i >= 0; --i) {
    message.push_back(static_cast<uint8_t>(uint64_t{8} * data.size() >> (8 * i)));
  }
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t begin = 0; begin < message.size(); begin += 64) {
    AddBlock(std::span(message).subspan(begin, 64), state);
  }
  return state;
}

}  // namespace

void ComputeSha1(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t length = data.Extent(launch, 1);
    const size_t stride = (length + 3) / 4 * 4;
    const size_t count = data.Extent(launch, 2);
    if (count == 0) continue;
    const auto bytes = data.Buffer<uint8_t>(launch, 0, (count - 1) * stride + length);
    const auto digests = data.Buffer<uint32_t>(launch, 3, 5 * count);
    for (size_t i = 0; i < count; ++i) {
      const State digest = Sha1(bytes.subspan(i * stride, length));
      for (size_t w = 0; w < 5; ++w) digests[5 * i + w] = digest[w];
    }
  }
}

}  // namespace flagstone
