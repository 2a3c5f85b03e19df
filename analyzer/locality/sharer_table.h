// Collects sharer sets, each once: equal ones add up.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_SHARER_TABLE_H_
#define FLAGSTONE_ANALYZER_LOCALITY_SHARER_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/locality/sharer_sets.h"
#include "base/hash_index.h"

namespace flagstone {

class SharerTable {
 public:
  explicit SharerTable(SharerSets& result) : result_(result) {}

  // `family` with these offsets; its own offsets_begin and size do not matter.
  void Add(SharerFamily family, std::span<const uint32_t> offsets);
  // One set; `tbs` ascend.
  void AddSet(std::span<const uint32_t> tbs, uint64_t weight, uint64_t several_warps);

 private:
  SharerSets& result_;
  HashIndex family_of_;            // by hash of offsets and anchors
  std::vector<uint32_t> offsets_;  // scratch
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_SHARER_TABLE_H_
