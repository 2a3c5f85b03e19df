#include "base/hash.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace {

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

}  // namespace
}  // namespace flagstone
