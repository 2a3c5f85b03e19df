// Requests of affine loads in closed form. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_COALESCING_AFFINE_REQUESTS_H_
#define FLAGSTONE_ANALYZER_COALESCING_AFFINE_REQUESTS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/coalescing/coalescing.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Cuts the box of TBs and iterations until each part has every guard decided, or is a single point
// of the axes that the undecided ones depend on. Parts cost time by their number, not their size.
class AffineRequests {
 public:
  AffineRequests(const AddressForm& access, const AddressAnalysis& addresses,
                 const KernelLaunch& launch);

  // Sets requests and sectors, or request_problem.
  void Count(LoadCoalescing& load);

 private:
  struct Axis {  // a TB coordinate or a loop's counter
    int64_t stride = 0;
    int64_t extent = 1;
  };
  struct Limit {  // a guard: constant + the thread's offset + sum(coefficients * axes) >= 0
    int64_t constant = 0;
    std::vector<int64_t> coefficients;  // by axis
    std::vector<int64_t> offsets;       // by thread
    int64_t lowest = 0, highest = 0;    // of the offsets
  };
  struct Extent {
    int64_t begin = 0, end = 1;
  };
  using Box = std::vector<Extent>;  // by axis
  struct Open {                     // an undecided guard of a box
    uint32_t limit = 0;
    int64_t constant = 0;  // with the box's lowest corner put in
  };
  struct Fetched {
    double requests = 0, sectors = 0;
  };

  bool Visit(const Box& box, const std::vector<uint32_t>& undecided);
  void Add(const Box& box, const std::vector<Open>& open);
  const Fetched& OfTb(const std::vector<Open>& open, uint64_t residue);

  uint64_t start_ = 0;
  uint32_t bytes_ = 0;
  std::vector<uint64_t> offsets_;  // by thread
  std::vector<Axis> axes_;
  std::vector<Limit> limits_;
  // What one TB fetches, by its residue and the constants of its undecided guards.
  std::map<std::vector<int64_t>, Fetched> known_;
  Fetched total_;
  uint64_t parts_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_AFFINE_REQUESTS_H_
