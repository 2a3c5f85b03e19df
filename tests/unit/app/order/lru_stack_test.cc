// The LRU cache of the traffic model.
#include "app/order/lru_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace lru_stack_test {

using ::testing::ElementsAre;

bool Touch(LruStack& cache, uint32_t item) {
  return cache.Touch(item, false, [](uint32_t) {});
}

TEST(LruStack, LosesWhatWasTouchedLongestAgo) {
  const std::vector<uint32_t> bytes = {10, 10, 10};
  LruStack cache(bytes, 20);
  EXPECT_FALSE(Touch(cache, 0));
  EXPECT_FALSE(Touch(cache, 1));
  EXPECT_TRUE(Touch(cache, 0));
  EXPECT_FALSE(Touch(cache, 2));
  EXPECT_TRUE(Touch(cache, 0));
  EXPECT_FALSE(Touch(cache, 1));
}

TEST(LruStack, MakesRoomForLargeItemsByBytes) {
  const std::vector<uint32_t> bytes = {5, 5, 10, 30};
  LruStack cache(bytes, 20);
  Touch(cache, 0);
  Touch(cache, 1);
  Touch(cache, 2);
  EXPECT_TRUE(Touch(cache, 0));
  EXPECT_FALSE(Touch(cache, 3));  // larger than the cache: it does not stay
  EXPECT_FALSE(Touch(cache, 3));
  EXPECT_FALSE(Touch(cache, 2));
}

TEST(LruStack, WritesBackWhatWasWrittenWhenItLeaves) {
  const std::vector<uint32_t> bytes = {10, 10, 10};
  LruStack cache(bytes, 20);
  std::vector<uint32_t> written;
  const auto note = [&](uint32_t item) { written.push_back(item); };
  cache.Touch(0, true, note);
  cache.Touch(0, false, note);
  cache.Touch(1, false, note);
  cache.Touch(2, false, note);
  EXPECT_THAT(written, ElementsAre(0));
  cache.Touch(0, false, note);  // clean this time
  cache.Touch(1, false, note);
  cache.Touch(2, false, note);
  EXPECT_THAT(written, ElementsAre(0));
}

TEST(LruStack, ForgetsWhatIsDropped) {
  const std::vector<uint32_t> bytes = {10, 10};
  LruStack cache(bytes, 20);
  Touch(cache, 0);
  Touch(cache, 1);
  cache.Drop(0);
  EXPECT_TRUE(Touch(cache, 1));
  EXPECT_FALSE(Touch(cache, 0));
  cache.Clear();
  EXPECT_FALSE(Touch(cache, 1));
}

}  // namespace lru_stack_test
}  // namespace flagstone
