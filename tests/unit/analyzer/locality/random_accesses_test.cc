// Random affine accesses under random guards: sharer sets and graph equal brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/locality/translated_sharers.h"
#include "base/random.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/locality/brute_force.h"

namespace flagstone {
namespace random_accesses_test {

struct Size {
  uint32_t grid = 1;      // multiplies the grid's extents
  uint32_t accesses = 5;  // at most
};

class RandomAccesses {
 public:
  explicit RandomAccesses(uint64_t seed, Size size = {}) : random_(seed) {
    launch_.kernel = &kernel_;
    launch_.grid = {1 + Below(6 * size.grid), 1 + Below(4 * size.grid), 1 + Below(2 * size.grid)};
    launch_.block = {1 + Below(8), 1 + Below(4), 1 + Below(2)};
    for (uint32_t l = Below(3); l > 0; --l) {
      CountedLoop loop;
      loop.known = true;
      loop.trip_count = 1 + Below(5);
      analysis_.loops.push_back(loop);
    }
    for (uint32_t i = 1 + Below(size.accesses); i > 0; --i) analysis_.accesses.push_back(Access(i));
    // Copies a constant further, as unrolled loops have them.
    for (uint32_t i = Below(3); i > 0; --i) {
      analysis_.accesses.push_back(
          analysis_.accesses[Below(static_cast<uint32_t>(analysis_.accesses.size()))]);
      analysis_.accesses.back().form.constant += 4 * static_cast<int64_t>(Below(9));
    }
  }
  const AddressAnalysis& analysis() const { return analysis_; }
  const KernelLaunch& launch() const { return launch_; }

 private:
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_.Below(bound)); }
  int64_t Coefficient(int64_t scale) {
    if (Below(3) == 0) return 0;
    return scale * (static_cast<int64_t>(Below(25)) - 6);
  }
  AffineForm Form(int64_t scale, const std::vector<uint32_t>& loops) {
    AffineForm form;
    for (int64_t& c : form.tid) c = Coefficient(scale);
    for (int64_t& c : form.ctaid) c = Coefficient(scale);
    form.loops.resize(analysis_.loops.size(), 0);
    for (const uint32_t loop : loops) form.loops[loop] = Coefficient(scale);
    return form;
  }
  AddressForm Access(uint32_t pc) {
    AddressForm access;
    access.pc = pc;
    access.address_class = AddressClass::kAffine;
    access.pattern = AddressClass::kAffine;
    access.bytes = 4U << (Below(4) == 0 ? 1 + Below(2) : 0);
    access.array = Below(3) == 0 ? "b" : "a";
    for (uint32_t l = 0; l < analysis_.loops.size(); ++l) {
      if (Below(2) == 0) access.loops.push_back(l);
    }
    access.form = Form(access.bytes, access.loops);
    access.form.constant = 1 << 16;
    for (uint32_t g = Below(3); g > 0; --g) {
      access.guards.push_back({Form(1, access.loops)});
      access.guards.back().form.constant = static_cast<int64_t>(Below(60)) - 15;
    }
    return access;
  }

  SplitMix64 random_;
  ptx::Kernel kernel_;
  KernelLaunch launch_;
  AddressAnalysis analysis_;
};

TEST(RandomAffineAccesses, ShareWhatBruteForceFinds) {
  uint64_t edges = 0;
  uint64_t universal = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const RandomAccesses random(seed);
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      const SharerSets sharers = FindSharers(random.analysis(), random.launch(), granularity);
      const LocalityGraph graph = BuildGraph(sharers);
      const brute_force::Result found = brute_force::Of(sharers, graph);
      const brute_force::Result expected =
          brute_force::Share(random.analysis(), random.launch(), granularity);
      ASSERT_EQ(found.references, expected.references) << "seed " << seed;
      ASSERT_EQ(found.sets, expected.sets) << "seed " << seed;
      ASSERT_EQ(found.pairs, expected.pairs) << "seed " << seed;
      edges += graph.EdgeCount();
      universal += sharers.shared_by_all;
    }
  }
  EXPECT_GT(edges, 10000U);
  EXPECT_GT(universal, 100U);
}

// The closed form alone, also where the sweep would have been cheaper.
TEST(RandomAffineAccesses, ShareTheSameInClosedForm) {
  uint32_t compared = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const RandomAccesses random(seed, {.grid = 2, .accesses = 2});
    const Footprints footprints = FindFootprints(random.analysis(), random.launch());
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      SharerSets sharers;
      sharers.tb_count = footprints.tb_count;
      SharerTable table(sharers);
      bool all = true;
      for (const ArrayFootprints& array : footprints.arrays) {
        const uint64_t unit = Bytes(granularity, array.element_bytes);
        all = all && AddTranslated(array, unit, uint64_t{1} << 40, table);
      }
      if (!all) continue;  // of classes that move differently
      ++compared;
      const brute_force::Result found = brute_force::Of(sharers, BuildGraph(sharers));
      const brute_force::Result expected =
          brute_force::Share(random.analysis(), random.launch(), granularity);
      ASSERT_EQ(found.sets, expected.sets) << "seed " << seed;
      ASSERT_EQ(found.pairs, expected.pairs) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 150U);
}

// What a warp of a TB reads of an array.
std::vector<Range> WarpBytesOf(const ArrayFootprints& array, uint32_t tb, uint32_t warp) {
  const Dim3 at = TbCoordinates(tb, array.grid);
  std::vector<Range> bytes;
  for (const FootprintClass& footprint : array.classes) {
    if (!footprint.tbs.Contains({at.x, at.y, at.z})) continue;
    const int64_t base = footprint.BaseOf({at.x, at.y, at.z});
    for (const Range& range : array.warps[footprint.shape].at(warp)) {
      bytes.push_back({range.begin + base, range.end + base});
    }
  }
  Normalize(bytes);
  return bytes;
}

// The same, thread by thread.
std::vector<Range> ReadByWarp(const RandomAccesses& random, const std::string& array, uint32_t tb,
                              uint32_t warp) {
  const KernelLaunch& launch = random.launch();
  std::vector<Range> bytes;
  for (const AddressForm& access : random.analysis().accesses) {
    if (access.array != array) continue;
    for (uint32_t t = 32 * warp; t < std::min(32 * warp + 32, launch.ThreadsPerTb()); ++t) {
      brute_force::ForEachAddress(random.analysis(), launch, access, TbCoordinates(tb, launch.grid),
                                  t, [&](int64_t address) {
                                    bytes.push_back({address, address + access.bytes});
                                  });
    }
  }
  Normalize(bytes);
  return bytes;
}

TEST(RandomAffineAccesses, AreReadByTheWarpsWhoseThreadsDoThem) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomAccesses random(seed);
    const KernelLaunch& launch = random.launch();
    for (const ArrayFootprints& array :
         FindFootprints(random.analysis(), launch, {.by_warp = true}).arrays) {
      for (uint32_t tb = 0; tb < launch.TbCount(); ++tb) {
        for (uint32_t warp = 0; warp < launch.WarpsPerTb(); ++warp) {
          ASSERT_EQ(WarpBytesOf(array, tb, warp), ReadByWarp(random, array.array, tb, warp))
              << "seed " << seed << " array " << array.array << " TB " << tb << " warp " << warp;
        }
      }
    }
  }
}

}  // namespace random_accesses_test
}  // namespace flagstone
