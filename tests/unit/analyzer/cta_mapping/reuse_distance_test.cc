// Reuse distances: integer programming against going through all threads.
#include "analyzer/cta_mapping/reuse_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "analyzer/locality/strided_box.h"
#include "base/arithmetic.h"
#include "base/random.h"
#include "tests/unit/analyzer/cta_mapping/accesses.h"
#include "tests/unit/analyzer/locality/brute_force.h"

namespace flagstone {
namespace reuse_distance_test {

using accesses::Load;
using accesses::Loop;

constexpr uint64_t kBlock = 128;

struct Problem {
  KernelLaunch launch;
  AddressAnalysis analysis;
  std::vector<AddressForm> accesses;
  std::vector<Subscripts> subscripts;
};

// The extreme TBs that read a block, by block, other subscripts, and row or column of the grid.
using Readers = std::map<std::vector<int64_t>, std::pair<int64_t, int64_t>>;

void AddThread(const Problem& p, CtaDirection direction, const Dim3& tb, const Dim3& tid,
               Readers& readers) {
  const int64_t row = int64_t{tb.z} * p.launch.grid.y + tb.y;
  const bool along_x = direction == CtaDirection::kX;
  const int64_t place = along_x ? tb.x : row;
  for (size_t a = 0; a < p.accesses.size(); ++a) {
    std::vector<int64_t> counters(p.analysis.loops.size(), 0);
    brute_force::ForEachIteration(p.analysis, p.accesses[a], 0, counters, [&] {
      for (const Guard& guard : p.accesses[a].guards) {
        if (brute_force::Value(guard.form, tid, tb, counters) < 0) return;
      }
      std::vector<int64_t> key = {along_x ? row : int64_t{tb.x}};
      for (const AffineForm& form : p.subscripts[a]) {
        key.push_back(brute_force::Value(form, tid, tb, counters));
      }
      key.back() = FloorDivide(key.back(), static_cast<int64_t>(kBlock));
      auto& [first, last] = readers.try_emplace(key, place, place).first->second;
      first = std::min(first, place);
      last = std::max(last, place);
    });
  }
}

int64_t BruteForce(const Problem& p, CtaDirection direction) {
  Readers readers;
  for (uint64_t tb = 0; tb < p.launch.TbCount(); ++tb) {
    for (uint32_t t = 0; t < p.launch.ThreadsPerTb(); ++t) {
      AddThread(p, direction, TbCoordinates(tb, p.launch.grid), TbCoordinates(t, p.launch.block),
                readers);
    }
  }
  int64_t distance = 0;
  for (const auto& [key, places] : readers) {
    distance = std::max(distance, places.second - places.first);
  }
  return distance;
}

void AddAllPairs(const Problem& p, ReuseDistance& distance) {
  for (size_t a = 0; a < p.accesses.size(); ++a) {
    for (size_t b = 0; b < p.accesses.size(); ++b) {
      EXPECT_TRUE(
          distance.Add({&p.accesses[a], &p.subscripts[a]}, {&p.accesses[b], &p.subscripts[b]}));
    }
  }
}

class RandomProblem {
 public:
  explicit RandomProblem(uint64_t seed) : random_(seed) {
    problem_.launch.grid = {1 + Below(6), 1 + Below(5), 1 + Below(4) / 3};
    problem_.launch.block = {1 + Below(8), 1 + Below(3), 1};
    if (Below(2) == 0) problem_.analysis.loops.push_back(Loop(1 + Below(5)));
    for (uint32_t i = 1 + Below(2); i > 0; --i) {
      AddressForm access = Load(0, {}, {});
      if (!problem_.analysis.loops.empty()) access.loops = {0};
      for (uint32_t g = Below(2); g > 0; --g) {
        access.guards.push_back({Form(1)});
        access.guards.back().form.constant = Below(12);
      }
      problem_.accesses.push_back(access);
      problem_.subscripts.push_back({Form(1), Form(16)});
    }
  }
  const Problem& problem() const { return problem_; }

 private:
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_.Below(bound)); }
  AffineForm Form(int64_t scale) {
    AffineForm form;
    const auto coefficient = [&] {
      return Below(2) == 0 ? 0 : scale * (static_cast<int64_t>(Below(7)) - 2);
    };
    for (size_t axis = 0; axis < 2; ++axis) {
      form.tid[axis] = coefficient();
      form.ctaid[axis] = coefficient();
    }
    form.ctaid[2] = coefficient();
    for (size_t l = 0; l < problem_.analysis.loops.size(); ++l) form.loops.push_back(coefficient());
    form.constant = 4 * static_cast<int64_t>(Below(20));
    return form;
  }

  SplitMix64 random_;
  Problem problem_;
};

TEST(ReuseDistance, OfRandomAccessesEqualsBruteForce) {
  int64_t sum = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomProblem random(seed);
    const Problem& p = random.problem();
    for (const CtaDirection direction : {CtaDirection::kX, CtaDirection::kY}) {
      ReuseDistance distance(direction, p.analysis, p.launch, kBlock);
      AddAllPairs(p, distance);
      const int64_t expected = BruteForce(p, direction);
      EXPECT_EQ(distance.At(p.launch.grid), expected)
          << "seed " << seed << ": " << distance.ToString();
      sum += expected;
    }
  }
  EXPECT_GT(sum, 30);
}

TEST(ReuseDistance, IsAFunctionOfTheGridThatIsWorkedOutOnce) {
  // A row read by all TBs of a grid row, and a halo of 32 bytes read by the next TB of 128.
  Problem row;
  row.launch.grid = {5, 5, 1};
  row.launch.block = {128, 1, 1};
  Problem halo = row;
  row.accesses = {Load(0, {4, 0, 0}, {0, 512, 0})};
  row.subscripts = {{row.accesses[0].form}};
  halo.accesses = {Load(0, {4, 0, 0}, {512, 0, 0}), Load(32, {4, 0, 0}, {512, 0, 0})};
  halo.subscripts = {{halo.accesses[0].form}, {halo.accesses[1].form}};
  ReuseDistance whole(CtaDirection::kX, row.analysis, row.launch, kBlock);
  AddAllPairs(row, whole);
  ReuseDistance next(CtaDirection::kX, halo.analysis, halo.launch, kBlock);
  AddAllPairs(halo, next);
  EXPECT_TRUE(whole.IsLargest()) << whole.ToString();
  EXPECT_FALSE(next.IsLargest()) << next.ToString();
  for (const uint32_t x : {1U, 2U, 7U, 100000U}) {
    EXPECT_EQ(whole.At({x, 3, 1}), int64_t{x} - 1) << whole.ToString();
    EXPECT_EQ(next.At({x, 3, 1}), x > 1 ? 1 : 0) << next.ToString();
  }
}

}  // namespace reuse_distance_test
}  // namespace flagstone
