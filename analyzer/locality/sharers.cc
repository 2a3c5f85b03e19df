// Footprints -> sharer sets.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "analyzer/locality/unit_sweep.h"

namespace flagstone {
namespace {

uint64_t HashOf(const std::vector<uint32_t>& tbs) {
  uint64_t hash = tbs.size();
  for (const uint32_t tb : tbs) {
    hash = (hash ^ tb) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

// Sums weights per set of TBs, over classes and arrays.
class SetTable {
 public:
  explicit SetTable(SharerSets& result) : result_(result) {}

  void Add(std::vector<uint32_t> tbs, uint64_t weight) {
    if (tbs.size() == result_.tb_count && tbs.size() > 1) {
      result_.shared_by_all += weight;
      return;
    }
    const uint64_t hash = HashOf(tbs);
    const auto [first, last] = set_of_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      if (result_.sets[it->second].tbs != tbs) continue;
      result_.sets[it->second].weight += weight;
      return;
    }
    set_of_.emplace(hash, result_.sets.size());
    result_.sets.push_back({std::move(tbs), weight});
  }

 private:
  SharerSets& result_;
  std::unordered_multimap<uint64_t, size_t> set_of_;
};

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

void AddArray(const ArrayFootprints& array, uint64_t unit_bytes, SetTable& table) {
  UnitSweep sweep;
  const auto unit = static_cast<int64_t>(unit_bytes);
  for (uint32_t c = 0; c < array.classes.size(); ++c) {
    const FootprintClass& footprint = array.classes[c];
    if (footprint.tbs.empty()) continue;
    Range open{0, 0};
    const auto close = [&] {
      if (open.begin < open.end) {
        sweep.Add(static_cast<uint64_t>(open.begin), static_cast<uint64_t>(open.end), c);
      }
    };
    for (const Range& bytes : array.shapes[footprint.shape]) {
      const Range units{FloorDivide(bytes.begin + footprint.base, unit),
                        FloorDivide(bytes.end + footprint.base - 1, unit) + 1};
      if (open.begin < open.end && units.begin <= open.end) {
        open.end = units.end;
        continue;
      }
      close();
      open = units;
    }
    close();
  }
  for (const UnitSweep::LabelSet& set : sweep.Run()) {
    std::vector<uint32_t> tbs = array.classes[set.labels.front()].tbs;
    for (size_t i = 1; i < set.labels.size(); ++i) {
      const std::vector<uint32_t>& more = array.classes[set.labels[i]].tbs;
      tbs.insert(tbs.end(), more.begin(), more.end());
    }
    if (set.labels.size() > 1) {
      std::sort(tbs.begin(), tbs.end());
      tbs.erase(std::unique(tbs.begin(), tbs.end()), tbs.end());
    }
    table.Add(std::move(tbs), set.units);
  }
}

}  // namespace

std::string_view ToString(Granularity granularity) {
  switch (granularity) {
    case Granularity::kElement:
      return "element";
    case Granularity::kSector:
      return "sector";
    case Granularity::kLine:
      return "line";
  }
  return "";
}

uint64_t Bytes(Granularity granularity, uint32_t element_bytes) {
  switch (granularity) {
    case Granularity::kSector:
      return 32;
    case Granularity::kLine:
      return 128;
    case Granularity::kElement:
      break;
  }
  return element_bytes;
}

SharerSets FindSharers(const Footprints& footprints, Granularity granularity) {
  SharerSets result;
  result.tb_count = footprints.tb_count;
  SetTable table(result);
  for (const ArrayFootprints& array : footprints.arrays) {
    AddArray(array, Bytes(granularity, array.element_bytes), table);
  }
  std::sort(result.sets.begin(), result.sets.end(),
            [](const SharerSet& a, const SharerSet& b) { return a.tbs < b.tbs; });
  result.total_references = result.shared_by_all;
  for (const SharerSet& set : result.sets) result.total_references += set.weight;
  result.skipped_loads = footprints.skipped.size();
  return result;
}

SharerSets FindSharers(const AddressAnalysis& addresses, const KernelLaunch& launch,
                       Granularity granularity) {
  return FindSharers(FindFootprints(addresses, launch), granularity);
}

}  // namespace flagstone
