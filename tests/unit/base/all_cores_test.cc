// Work that several threads do at once.
#include "base/all_cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace flagstone {
namespace all_cores_test {

TEST(OnAllCores, IsDoneWhenAllOfTheWorkIs) {
  std::atomic<int> next = 0, done = 0;
  OnAllCores(100, [&] {
    while (next++ < 1000) ++done;
  });
  EXPECT_EQ(done, 1000);
}

TEST(OnAllCores, UsesNoMoreThreadsThanAsked) {
  std::atomic<int> threads = 0;
  OnAllCores(1, [&] { ++threads; });
  EXPECT_EQ(threads, 1);
}

TEST(OnAllCores, PassesOnWhatAThreadThrows) {
  EXPECT_THROW(OnAllCores(100, [] { throw std::runtime_error("no"); }), std::runtime_error);
}

}  // namespace all_cores_test
}  // namespace flagstone
