#include "analyzer/replay/timed_sharers.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "analyzer/locality/sharer_table.h"

namespace flagstone {
namespace {

// Sectors of a line that a TB loads in a window.
struct Use {
  LineNumber line = 0;
  uint32_t window = 0;  // at first: which half of one, from the TB's beginning on
  uint32_t tb = 0;
  SectorMask sectors = 0;
};

// Adds the TB's uses by halves of windows, of so many different sectors each.
void AddUses(uint32_t tb, const std::vector<LoadedLine>& loads, uint64_t sectors_of_half,
             std::vector<Use>* uses) {
  std::unordered_map<LineNumber, SectorMask> in_half;
  uint32_t half = 0;
  uint64_t sectors = 0;
  const auto end_half = [&] {
    for (const auto& [line, mask] : in_half) uses->push_back({line, half, tb, mask});
    in_half.clear();
    sectors = 0;
    ++half;
  };
  for (const LoadedLine& load : loads) {
    SectorMask& there = in_half[load.line];
    const auto missing = static_cast<SectorMask>(load.sectors & ~there);
    there |= missing;
    sectors += SectorCount(missing);
    if (sectors >= sectors_of_half) end_half();
  }
  end_half();
}

// From halves to windows. Those that begin with an even half have even numbers. Where no TB fills a
// window, there is but one.
void PutIntoWindows(std::vector<Use>* uses) {
  const bool several =
      std::any_of(uses->begin(), uses->end(), [](const Use& use) { return use.window > 1; });
  const size_t count = uses->size();
  for (size_t i = 0; i < count; ++i) {
    const uint32_t half = (*uses)[i].window;
    (*uses)[i].window = half / 2 * 2;
    if (!several) continue;
    uses->push_back((*uses)[i]);
    uses->back().window = (half + 1) / 2 * 2 + 1;
  }
}

// Those of one line, window and TB are one; all of one line and window follow one another.
void Merge(std::vector<Use>* uses) {
  const auto key = [](const Use& use) { return std::tie(use.line, use.window, use.tb); };
  std::sort(uses->begin(), uses->end(),
            [&](const Use& a, const Use& b) { return key(a) < key(b); });
  size_t last = 0;
  for (size_t i = 1; i < uses->size(); ++i) {
    if (key((*uses)[i]) == key((*uses)[last])) {
      (*uses)[last].sectors |= (*uses)[i].sectors;
    } else {
      (*uses)[++last] = (*uses)[i];
    }
  }
  if (!uses->empty()) uses->resize(last + 1);
}

}  // namespace

SharerSets FindTimedSharers(uint32_t tbs,
                            const std::function<std::vector<LoadedLine>(uint32_t tb)>& loads_of,
                            uint64_t window_bytes) {
  SharerSets result;
  result.tb_count = tbs;
  const uint64_t half = std::max<uint64_t>(window_bytes / kSectorBytes / 2, 1);
  std::vector<Use> uses;
  for (uint32_t tb = 0; tb < tbs; ++tb) AddUses(tb, loads_of(tb), half, &uses);
  PutIntoWindows(&uses);
  Merge(&uses);
  SharerTable table(result);
  std::vector<uint32_t> sharers;
  for (size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    const Use& first = uses[begin];
    SectorMask all = 0;
    for (end = begin;
         end < uses.size() && uses[end].line == first.line && uses[end].window == first.window;
         ++end) {
      all |= uses[end].sectors;
    }
    for (uint32_t left = all; left != 0; left &= left - 1) {
      const uint32_t sector = left & -left;
      sharers.clear();
      for (size_t i = begin; i < end; ++i) {
        if ((uses[i].sectors & sector) != 0) sharers.push_back(uses[i].tb);
      }
      table.AddSet(sharers, 1, /*several_warps=*/0);
    }
  }
  result.total_references = result.shared_by_all;
  for (const SharerFamily& family : result.families) {
    result.total_references += family.weight * family.Sets();
  }
  return result;
}

}  // namespace flagstone
