// The cache lines that one warp's loads touch in one trip through a loop, by going through its
// lanes. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_LINES_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_LINES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/address/address_form.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct WarpPlace {
  std::array<int64_t, 3> tb = {};  // ctaid
  uint32_t warp = 0;               // in its TB
};

class WarpLines {
 public:
  // `loop`: an index in analysis.loops, or beyond them: the loads outside of all loops. The other
  // arguments must outlive this object.
  WarpLines(const AddressAnalysis& analysis, const KernelLaunch& launch, uint32_t loop,
            uint64_t line_bytes);

  // Loads in the loop whose lines are known.
  const std::vector<const AddressForm*>& loads() const { return loads_; }
  // The trip in the middle, and up to three that follow one another around it.
  uint64_t middle() const { return middle_; }
  const std::vector<uint64_t>& around() const { return around_; }

  // Of loads()[load], ascending, each once. False where there is too much to go through.
  bool Of(size_t load, const WarpPlace& place, uint64_t trip, std::vector<uint64_t>* lines) const;

 private:
  struct Point {
    std::array<int64_t, 3> tid = {}, tb = {};
    std::vector<int64_t> counters;  // by loop
  };
  int64_t ValueOf(const AffineForm& form, const Point& point) const;

  const AddressAnalysis& analysis_;
  const KernelLaunch& launch_;
  const uint32_t loop_;
  const uint64_t line_bytes_;
  std::vector<const AddressForm*> loads_;
  uint64_t middle_ = 0;
  std::vector<uint64_t> around_ = {0};
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_LINES_H_
