// A kernel's affine global accesses as time goes by in a TB: which happen together, in which steps,
// and what they touch there. Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_ACCESS_GROUPS_H_
#define FLAGSTONE_APP_ORDER_ACCESS_GROUPS_H_

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/access_box.h"
#include "analyzer/locality/strided_box.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::order {

// A stretch of the kernel: one outermost loop, or what lies between two. TBs in flight are taken to
// go through its steps together.
struct Phase {
  uint32_t loop = ~uint32_t{0};  // none: straight-line code
  uint64_t trips = 1;            // of the loop
  uint64_t inner_trips = 1;      // the most of a loop right inside
  uint32_t accesses = 0;
  uint32_t first_step = 0;  // of a TB
  uint32_t steps = 1;
};

// The threads of each part of a TB, the parts being runs of warps.
using TbParts = std::vector<std::vector<ThreadBox>>;
TbParts PartsOf(const Dim3& block, uint32_t parts);

// Accesses of one phase whose bytes move alike from TB to TB.
class AccessGroup {
 public:
  static constexpr uint32_t kNoShape = ~uint32_t{0};

  AccessGroup(const Phase& phase, bool is_store, std::array<int64_t, 3> strides)
      : phase_(phase), is_store_(is_store), strides_(strides) {}

  void Add(const AddressForm& access, uint32_t place_in_phase, const AddressAnalysis& analysis,
           const KernelLaunch& launch);
  // Finds the shapes at all TBs of the grid, of each of `parts` of a TB apart. False where they
  // would have more ranges than `limit`.
  bool FindShapes(const Dim3& grid, const TbParts& parts, uint64_t limit);

  uint32_t ShapeAt(const Dim3& tb) const;  // kNoShape: no access happens
  int64_t BaseAt(const Dim3& tb) const {
    return strides_[0] * tb.x + strides_[1] * tb.y + strides_[2] * tb.z;
  }
  // Sorted, disjoint byte ranges of a part of a shape in a step of the phase, less the base.
  const std::vector<Range>& Ranges(uint32_t shape, uint32_t part, uint32_t step) const {
    return shapes_[(size_t{shape} * parts_ + part) * phase_.steps + step];
  }
  uint32_t first_step() const { return phase_.first_step; }
  uint32_t steps() const { return phase_.steps; }
  bool is_store() const { return is_store_; }
  // The same of a part of the first shape in one turn of the phase's loops.
  const std::vector<Range>& TurnRanges(uint32_t part) const { return turn_[part]; }
  // Turns of the loops around each access, all together.
  struct Executed {
    uint32_t pc = 0;
    double turns = 1;  // by each thread
  };
  const std::vector<Executed>& executed() const { return executed_; }
  int first_line() const { return first_line_; }  // of the PTX file
  const std::array<int64_t, 3>& strides() const { return strides_; }
  bool Belongs(const Phase& phase, bool is_store, const std::array<int64_t, 3>& strides) const {
    return phase.first_step == phase_.first_step && is_store == is_store_ && strides == strides_;
  }

 private:
  struct Member {
    AccessPattern pattern;
    uint32_t place = 0;           // among the accesses of the phase
    std::vector<uint64_t> trips;  // of its loops, the outermost first; 1 where not known
    size_t loop = 0;              // index among them of the one that the steps follow
  };
  // The ranges of a part in one of `steps` steps of the phase.
  std::vector<Range> RangesOf(const std::vector<std::vector<AccessBox>>& boxes,
                              const std::vector<ThreadBox>& part, uint64_t step,
                              uint64_t steps) const;
  // Cuts the box to the iterations of such a step; false if none is left.
  bool CutToStep(const Member& member, uint64_t step, uint64_t steps, AccessBox& box) const;

  Phase phase_;
  bool is_store_ = false;
  int first_line_ = 0;
  std::array<int64_t, 3> strides_ = {0, 0, 0};
  std::vector<Member> members_;
  std::vector<Executed> executed_;
  uint32_t parts_ = 1;
  std::vector<std::vector<Range>> shapes_;        // by shape, then part, then step
  std::vector<std::vector<Range>> turn_;          // by part
  std::array<std::vector<uint32_t>, 3> cell_of_;  // by coordinate along each axis
  std::array<uint32_t, 3> cells_ = {1, 1, 1};
  std::vector<uint32_t> shape_of_cell_;
};

// The phases of the kernel, each of at most `most_steps` steps, and its groups.
struct AccessGroups {
  uint32_t steps = 0;           // of a TB
  std::vector<uint32_t> turns;  // of loops, by step
  std::vector<AccessGroup> groups;
};
AccessGroups GroupAccesses(const AddressAnalysis& addresses, const KernelLaunch& launch,
                           uint32_t most_steps);

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_ACCESS_GROUPS_H_
