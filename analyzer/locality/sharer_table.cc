#include "analyzer/locality/sharer_table.h"

#include <algorithm>

namespace flagstone {
namespace {

uint64_t HashOf(const SharerFamily& family, std::span<const uint32_t> offsets) {
  uint64_t hash = offsets.size();
  const auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  };
  mix(family.anchor);
  for (size_t d = 0; d < 3; ++d) mix(uint64_t{family.count[d]} << 32 | family.step[d]);
  for (const uint32_t offset : offsets) mix(offset);
  return hash;
}

}  // namespace

void SharerTable::Add(SharerFamily family, std::span<const uint32_t> offsets) {
  if (offsets.size() == result_.tb_count && offsets.size() > 1) {
    result_.shared_by_all += family.weight;
    result_.shared_by_all_several_warps += family.several_warps;
    return;
  }
  for (size_t d = 0; d < 3; ++d) {
    if (family.count[d] == 1) family.step[d] = 0;
  }
  const auto is_known = [&](uint32_t index) {
    const SharerFamily& known = result_.families[index];
    const std::span<const uint32_t> of_known = result_.Offsets(known);
    return known.anchor == family.anchor && known.count == family.count &&
           known.step == family.step &&
           std::equal(offsets.begin(), offsets.end(), of_known.begin(), of_known.end());
  };
  const uint32_t index =
      family_of_.FindOrAdd(HashOf(family, offsets), result_.families.size(), is_known);
  if (index < result_.families.size()) {
    result_.families[index].weight += family.weight;
    result_.families[index].several_warps += family.several_warps;
    return;
  }
  family.offsets_begin = result_.offsets.size();
  family.size = static_cast<uint32_t>(offsets.size());
  result_.offsets.insert(result_.offsets.end(), offsets.begin(), offsets.end());
  result_.families.push_back(family);
}

void SharerTable::AddSet(std::span<const uint32_t> tbs, uint64_t weight, uint64_t several_warps) {
  SharerFamily family;
  family.weight = weight;
  family.several_warps = several_warps;
  family.anchor = tbs.front();
  offsets_.clear();
  for (const uint32_t tb : tbs) offsets_.push_back(tb - family.anchor);
  Add(family, offsets_);
}

}  // namespace flagstone
