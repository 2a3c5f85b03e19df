#include "kernels/ptx/dominators.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace flagstone::ptx {
namespace dominators_test {

Edges Reversed(const Edges& next) {
  Edges previous(next.size());
  for (uint32_t from = 0; from < next.size(); ++from) {
    for (const uint32_t to : next[from]) previous[to].push_back(from);
  }
  return previous;
}

std::vector<bool> ReachableWithout(uint32_t removed, const Edges& next) {
  std::vector<bool> seen(next.size(), false);
  if (removed == 0) return seen;
  std::vector<uint32_t> stack = {0};
  seen[0] = true;
  while (!stack.empty()) {
    const uint32_t at = stack.back();
    stack.pop_back();
    for (const uint32_t to : next[at]) {
      if (to == removed || seen[to]) continue;
      seen[to] = true;
      stack.push_back(to);
    }
  }
  return seen;
}

// By the definition: a dominates b if b cannot be reached once a is removed.
std::vector<uint32_t> ByDefinition(const Edges& next) {
  const auto count = static_cast<uint32_t>(next.size());
  const std::vector<bool> reachable = ReachableWithout(count, next);
  std::vector<std::vector<uint32_t>> dominators(count);
  for (uint32_t a = 0; a < count; ++a) {
    if (!reachable[a]) continue;
    const std::vector<bool> left = ReachableWithout(a, next);
    for (uint32_t b = 0; b < count; ++b) {
      if (b != a && reachable[b] && !left[b]) dominators[b].push_back(a);
    }
  }
  // The immediate one is the dominator that has all the others as its own.
  std::vector<uint32_t> immediate(count, kNoDominator);
  for (uint32_t b = 0; b < count; ++b) {
    for (const uint32_t a : dominators[b]) {
      if (dominators[a].size() + 1 == dominators[b].size()) immediate[b] = a;
    }
  }
  return immediate;
}

TEST(Dominators, EqualTheirDefinitionOnRandomGraphs) {
  SplitMix64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t count = 1 + static_cast<uint32_t>(random.Below(12));
    Edges next(count);
    const uint64_t edges = random.Below(2 * count + 1);
    for (uint64_t i = 0; i < edges; ++i) {
      next[random.Below(count)].push_back(static_cast<uint32_t>(random.Below(count)));
    }
    EXPECT_EQ(ImmediateDominators(0, next, Reversed(next)), ByDefinition(next))
        << "round " << round;
  }
}

// Loops that each begin inside the one before take an iterative algorithm minutes at this size; the
// test's time limit is the check.
TEST(Dominators, TakeNoQuadraticTimeOnInterleavedLoops) {
  constexpr uint32_t kHalf = 200000;
  Edges next(2 * kHalf);
  for (uint32_t i = 0; i + 1 < 2 * kHalf; ++i) next[i].push_back(i + 1);
  for (uint32_t i = kHalf; i < 2 * kHalf; ++i) next[i].push_back(i - kHalf);
  const Edges previous = Reversed(next);
  const std::vector<uint32_t> dominators = ImmediateDominators(0, next, previous);
  for (uint32_t i = 1; i < 2 * kHalf; ++i) ASSERT_EQ(dominators[i], i - 1);
  const std::vector<uint32_t> reversed = ImmediateDominators(2 * kHalf - 1, previous, next);
  for (uint32_t i = 0; i + 1 < 2 * kHalf; ++i) ASSERT_EQ(reversed[i], i + 1);
}

}  // namespace dominators_test
}  // namespace flagstone::ptx
