// Which data each set of TBs reads: a weighted hypergraph over the TBs, the primary form of
// locality. Its size does not grow with the square of the number of sharers, and not at all with
// the grid where a kernel does alike everywhere.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_SHARER_SETS_H_
#define FLAGSTONE_ANALYZER_LOCALITY_SHARER_SETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flagstone {

// One set of TBs, or the same pattern of TBs at many places: for each anchor TB a, `weight` data
// units (elements, sectors or lines) are read by just the TBs a + offset. An offset of 0 is always
// there, and the anchor is a set's lowest TB.
struct SharerFamily {
  uint64_t weight = 0;
  uint64_t several_warps = 0;  // part of `weight` that several warps of one TB read, where known
  uint64_t offsets_begin = 0;  // in SharerSets::offsets
  uint32_t size = 0;           // TBs of each set
  uint32_t anchor = 0;         // the lowest one
  // All anchors: anchor + sum(step[d] * i_d), 0 <= i_d < count[d]; all different.
  std::array<uint32_t, 3> count = {1, 1, 1};
  std::array<uint32_t, 3> step = {0, 0, 0};

  uint64_t Sets() const { return uint64_t{count[0]} * count[1] * count[2]; }

  template <class Visit>
  void ForEachAnchor(Visit visit) const {
    for (uint32_t k = 0; k < count[2]; ++k) {
      for (uint32_t j = 0; j < count[1]; ++j) {
        uint32_t at = anchor + k * step[2] + j * step[1];
        for (uint32_t i = 0; i < count[0]; ++i, at += step[0]) visit(at);
      }
    }
  }
};

struct SharerSets {
  uint32_t tb_count = 0;
  std::vector<SharerFamily> families;  // a set of TBs may come up more than once
  std::vector<uint32_t> offsets;       // of all families, ascending in each
  uint64_t shared_by_all = 0;  // units that every TB reads: no set, one number; 0 for one TB
  uint64_t shared_by_all_several_warps = 0;  // part of it, as SharerFamily::several_warps
  uint64_t total_references = 0;             // distinct units over all TBs, summed over arrays
  uint64_t skipped_loads = 0;  // indirect or otherwise unknown loads that were left out

  std::span<const uint32_t> Offsets(const SharerFamily& family) const {
    return {offsets.data() + family.offsets_begin, family.size};
  }
  // Adds one set. `tbs` ascend; at least one.
  void Add(std::span<const uint32_t> tbs, uint64_t weight);

  // Calls visit(tbs, weight) for each set; `tbs` ascend and are valid during the call.
  template <class Visit>
  void ForEachSet(Visit visit) const {
    std::vector<uint32_t> tbs;
    for (const SharerFamily& family : families) {
      const std::span<const uint32_t> of_family = Offsets(family);
      tbs.resize(of_family.size());
      family.ForEachAnchor([&](uint32_t anchor) {
        for (size_t i = 0; i < tbs.size(); ++i) tbs[i] = anchor + of_family[i];
        visit(std::span<const uint32_t>(tbs), family.weight);
      });
    }
  }

  // Pairs of TBs over all sets: what expanding them to a graph has to go through. Saturates.
  uint64_t PairCount() const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_SHARER_SETS_H_
