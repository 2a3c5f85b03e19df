#include "base/hash.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace hash_test {

uint64_t HashOf(std::string_view text) {
  Fnv1a hash;
  hash.Add(text);
  return hash.Value();
}

TEST(Fnv1a, GivesThePublishedValues) {
  EXPECT_EQ(HashOf(""), 0xcbf29ce484222325U);
  EXPECT_EQ(HashOf("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(HashOf("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv1a, TakesNumbersAsLittleEndianBytes) {
  Fnv1a number;
  number.Add(uint64_t{0x0807060504030201});
  EXPECT_EQ(number.Value(), HashOf("\1\2\3\4\5\6\7\b"));
}

TEST(Fnv1a128, GivesThePublishedValues) {
  const auto expect = [](std::string_view text, uint64_t high, uint64_t low) {
    Fnv1a128 hash;
    hash.Add(text);
    EXPECT_EQ(hash.High(), high) << text;
    EXPECT_EQ(hash.Low(), low) << text;
  };
  expect("", 0x6c62272e07bb0142, 0x62b821756295c58d);
  expect("a", 0xd228cb696f1a8caf, 0x78912b704e4a8964);
  expect("foobar", 0x343e1662793c64bf, 0x6f0d3597ba446f18);
}

}  // namespace hash_test
}  // namespace flagstone
