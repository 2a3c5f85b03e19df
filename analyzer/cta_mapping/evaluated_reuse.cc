#include "analyzer/cta_mapping/evaluated_reuse.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace flagstone {
namespace {

// The cache blocks that each TB reads of an array.
class BlocksOfTbs {
 public:
  BlocksOfTbs(const ArrayFootprints& array, uint32_t tbs, int64_t block_bytes)
      : array_(array), block_bytes_(block_bytes), classes_(tbs) {
    for (uint32_t c = 0; c < array.classes.size(); ++c) {
      for (const uint32_t tb : array.classes[c].tbs.Ids(array.grid)) classes_[tb].push_back(c);
    }
  }

  // Appends {block, at} for each of them; a block may come twice.
  void Append(uint32_t tb, uint32_t at, std::vector<std::pair<int64_t, uint32_t>>& blocks) const {
    const Dim3 place = TbCoordinates(tb, array_.grid);
    for (const uint32_t c : classes_[tb]) {
      const FootprintClass& of = array_.classes[c];
      const int64_t base = of.BaseOf({place.x, place.y, place.z});
      int64_t next = 0;  // ranges ascend: the first block that is not there yet
      for (const Range& range : array_.shapes[of.shape]) {
        int64_t block = std::max(next, (base + range.begin) / block_bytes_);
        for (; block * block_bytes_ < base + range.end; ++block) blocks.emplace_back(block, at);
        next = block;
      }
    }
  }

 private:
  const ArrayFootprints& array_;
  const int64_t block_bytes_;
  std::vector<std::vector<uint32_t>> classes_;  // by TB
};

// The farthest two TBs of one line (a row or column) of the grid that read one block. `tb_at` gives
// the TB at a place of a line.
template <class TbAt>
int64_t LongestReach(const BlocksOfTbs& blocks_of, uint64_t lines, uint32_t extent,
                     const TbAt& tb_at) {
  int64_t longest = 0;
  std::vector<std::pair<int64_t, uint32_t>> blocks;
  for (uint64_t line = 0; line < lines && longest + 1 < extent; ++line) {
    blocks.clear();
    for (uint32_t at = 0; at < extent; ++at) blocks_of.Append(tb_at(line, at), at, blocks);
    std::sort(blocks.begin(), blocks.end());
    for (size_t first = 0, i = 0; i < blocks.size(); ++i) {
      if (blocks[i].first != blocks[first].first) first = i;
      longest = std::max<int64_t>(longest, blocks[i].second - blocks[first].second);
    }
  }
  return longest;
}

}  // namespace

EvaluatedReuse FindEvaluatedReuse(const AddressAnalysis& analysis, const KernelLaunch& launch,
                                  const Footprints* footprints, uint64_t block_bytes,
                                  std::vector<SkippedLoad>& left_out) {
  std::set<std::string> arrays;
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.address_class == AddressClass::kAffine) continue;
    const auto skipped = [&]() -> const SkippedLoad* {
      if (footprints == nullptr) return nullptr;
      const auto found = std::find_if(footprints->skipped.begin(), footprints->skipped.end(),
                                      [&](const SkippedLoad& s) { return s.pc == access.pc; });
      return found == footprints->skipped.end() ? nullptr : &*found;
    };
    if (const SkippedLoad* load = skipped()) {
      left_out.push_back(*load);
    } else if (footprints == nullptr) {
      left_out.push_back({access.pc, access.line, access.reason});
    } else {
      arrays.insert(access.array);
    }
  }
  EvaluatedReuse reuse;
  if (arrays.empty()) return reuse;
  const Dim3& grid = launch.grid;
  const auto bytes = static_cast<int64_t>(block_bytes);
  for (const ArrayFootprints& array : footprints->arrays) {
    if (!arrays.contains(array.array) && array.array != "?") continue;
    const BlocksOfTbs blocks(array, footprints->tb_count, bytes);
    const int64_t x = LongestReach(
        blocks, uint64_t{grid.y} * grid.z, grid.x,
        [&](uint64_t row, uint32_t at) { return static_cast<uint32_t>(row * grid.x + at); });
    const int64_t y =
        LongestReach(blocks, uint64_t{grid.x} * grid.z, grid.y, [&](uint64_t column, uint32_t at) {
          const uint64_t plane = column / grid.x * grid.x * grid.y;
          return static_cast<uint32_t>(plane + uint64_t{at} * grid.x + column % grid.x);
        });
    reuse.distance_x = std::max(reuse.distance_x, x);
    reuse.distance_y = std::max(reuse.distance_y, y);
  }
  return reuse;
}

}  // namespace flagstone
