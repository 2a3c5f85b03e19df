// Byte ranges of footprints -> ranges of data units, worked out once per shape and position within
// a unit. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_UNIT_SHAPES_H_
#define FLAGSTONE_ANALYZER_LOCALITY_UNIT_SHAPES_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/locality/footprints.h"

namespace flagstone {

class UnitShapes {
 public:
  UnitShapes(const ArrayFootprints& array, uint64_t unit_bytes)
      : array_(array), unit_(static_cast<int64_t>(unit_bytes)) {}

  // Sorted and disjoint; to be moved by `shift` units.
  struct Placed {
    std::span<const Range> reads;
    std::span<const Range> several_warps;  // part of `reads`; empty where warps are not known
    int64_t shift = 0;
  };
  // The shape moved by `base` bytes. Valid as long as this object.
  Placed At(uint32_t shape, int64_t base);

 private:
  struct Units {
    std::vector<Range> reads;
    std::vector<Range> several_warps;
  };
  std::vector<Range> Convert(std::span<const Range> bytes, int64_t offset) const;

  const ArrayFootprints& array_;
  int64_t unit_;
  std::unordered_map<uint64_t, Units> known_;  // by shape and offset within a unit
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_UNIT_SHAPES_H_
