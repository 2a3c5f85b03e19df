// How far apart the TBs are that reuse a cache block, by integer programming (Liu, Liu, Wang,
// section 2, equations 1 to 6).
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_REUSE_DISTANCE_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_REUSE_DISTANCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "analyzer/address/address_form.h"
#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/cta_mapping/subscripts.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// The largest reuse distance of the pairs added so far along one direction: a function of the
// grid's extents gx, gy, gz that is worked out once and evaluated for each launch.
class ReuseDistance {
 public:
  // `direction` is kX or kY. Both `analysis` and `launch` must outlive this object.
  ReuseDistance(CtaDirection direction, const AddressAnalysis& analysis, const KernelLaunch& launch,
                uint64_t block_bytes);
  ~ReuseDistance();
  ReuseDistance(const ReuseDistance&) = delete;
  ReuseDistance& operator=(const ReuseDistance&) = delete;

  // Maximises |ctaid' - ctaid| over all threads and iterations in which `second` reads the block
  // that `first` brought in: all subscripts but the last are equal, and the last lies in the same
  // block; the TBs are in one row (x) or column (y) of the grid. Both orders of the pair have to be
  // added. Where the function of the grid takes too many steps, the pair is solved for the launch's
  // grid alone; where that does too, it is left out and the result is false.
  bool Add(const SubscriptedAccess& first, const SubscriptedAccess& second);
  // Whether no pair could be farther apart, whatever the grid.
  bool IsLargest() const;

  // 0 where nothing is reused. Each extent is at least 1. For another grid than the launch's it is
  // a lower bound if IsSymbolic() does not hold.
  int64_t At(const Dim3& grid) const;
  // Whether all pairs so far were solved as functions of the grid.
  bool IsSymbolic() const;
  // The functions whose maximum it is, as isl prints them: "{ [(-1 + gx)] : gx >= 2 }".
  std::string ToString() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_REUSE_DISTANCE_H_
