// Builds the footprints of one array from the accesses to it. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_ARRAY_BUILDER_H_
#define FLAGSTONE_ANALYZER_LOCALITY_ARRAY_BUILDER_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/locality/access_box.h"
#include "analyzer/locality/footprints.h"

namespace flagstone {

class ArrayBuilder {
 public:
  // `ranges` counts over all arrays of a launch.
  ArrayBuilder(const KernelLaunch& launch, const AddressAnalysis& analysis, std::string array,
               uint64_t& ranges, bool by_warp)
      : launch_(launch), analysis_(analysis), ranges_(ranges), by_warp_(by_warp) {
    result_.array = std::move(array);
    result_.grid = launch.grid;
  }

  void AddAffine(const std::vector<const AddressForm*>& accesses);
  // Addresses of one TB that are known one by one; `warps` splits them up by warp.
  void AddExplicit(uint32_t tb, std::vector<Range> bytes, std::vector<std::vector<Range>> warps);
  void NoteElement(uint32_t bytes) {
    result_.element_bytes =
        result_.element_bytes == 0 ? bytes : std::min(result_.element_bytes, bytes);
  }
  ArrayFootprints Take() { return std::move(result_); }

 private:
  struct KeyHash {
    size_t operator()(const std::vector<int64_t>& key) const;
  };
  // The shapes found so far, by what BoxesAt made of a TB.
  using ShapeTable = std::unordered_map<std::vector<int64_t>, uint32_t, KeyHash>;

  void AddMovingTogether(const std::vector<AccessPattern>& patterns);
  bool FindShape(const std::vector<AccessPattern>& patterns, const TbCoordinate& tb,
                 ShapeTable& shapes, uint32_t& shape);
  void BoxesAt(const std::vector<AccessPattern>& patterns, const Dim3& tb);
  uint32_t AddShape(const std::vector<AccessPattern>& patterns);
  std::vector<std::vector<Range>> WarpsOf(const std::vector<AccessPattern>& patterns);
  void Count(uint64_t ranges);

  const KernelLaunch& launch_;
  const AddressAnalysis& analysis_;
  uint64_t& ranges_;
  bool by_warp_;
  ArrayFootprints result_;
  bool has_explicit_ = false;
  // Of the TB looked at last.
  std::vector<std::vector<AccessBox>> boxes_;  // by pattern
  std::vector<int64_t> key_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_ARRAY_BUILDER_H_
