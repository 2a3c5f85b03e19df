// The box of threads and iterations in which one access of one TB happens.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_ACCESS_BOX_H_
#define FLAGSTONE_ANALYZER_LOCALITY_ACCESS_BOX_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/strided_box.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Variables are tid.x, tid.y, tid.z and the loops around the access, in that order.
struct AccessBox {
  std::vector<Range> bounds;  // of each variable; none empty
};

// A warp's threads as boxes of tid.x, tid.y, tid.z: 32 threads in a row of their linear ids.
using ThreadBox = std::array<Range, 3>;
std::vector<ThreadBox> WarpBoxes(const Dim3& block, uint32_t warp);

// One affine access, or several that differ only in evenly spaced constants (unrolled loops,
// neighbours of a stencil): those are one dimension more.
class AccessPattern {
 public:
  AccessPattern(const AddressForm& access, const AddressAnalysis& analysis,
                const KernelLaunch& launch);

  // Adds `count` - 1 copies, each `stride` bytes further.
  void Repeat(int64_t stride, int64_t count) { copies_ = {stride, count}; }

  const std::array<int64_t, 3>& TbStrides() const { return tb_strides_; }
  // Appends the coordinates along an axis of the grid at which the guards start to let through
  // something else, and all those from which TBs have to be looked at one by one.
  void AddCuts(size_t axis, const Dim3& grid, std::vector<uint32_t>& cuts) const;

  // The disjoint boxes for the TB at these coordinates. Returns false, with `boxes` unspecified,
  // when there would be more than `limit`.
  bool Boxes(const Dim3& tb, size_t limit, std::vector<AccessBox>& boxes) const;
  // Bytes of a box, relative to sum(TbStrides * ctaid).
  StridedBox Bytes(const AccessBox& box) const;

 private:
  struct Bound {  // constant + sum(ctaid) + sum(variables) >= 0
    int64_t constant = 0;
    std::array<int64_t, 3> tb = {0, 0, 0};
    std::vector<int64_t> variables;
  };
  struct Fixed {  // a Bound at one TB
    int64_t constant = 0;
    const std::vector<int64_t>* variables = nullptr;
  };
  static bool Tighten(std::span<const Fixed> bounds, AccessBox& box);
  bool Split(std::span<const Fixed> bounds, AccessBox box, size_t limit,
             std::vector<AccessBox>& boxes) const;

  int64_t start_ = 0;
  int64_t bytes_ = 0;
  std::array<int64_t, 3> tb_strides_ = {0, 0, 0};
  std::vector<int64_t> strides_;  // by variable
  std::vector<Range> extents_;
  std::vector<Bound> guards_;
  Dimension copies_{0, 1};
  std::vector<Dimension> rows_;  // of a tensor's box
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_ACCESS_BOX_H_
