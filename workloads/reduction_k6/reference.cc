// The first launch's sums, one for every TB, over the elements that belong to it: the array is cut
// in pieces of 512, which the TBs take in turn. The second launch has one TB: the sum of all. In
// f64.
#include "workloads/reference.h"

#include <vector>

#include "base/error.h"

namespace flagstone {

void ComputeReductionK6(ReferenceData& data) {
  constexpr size_t kPiece = 512;
  const auto in = data.Buffer<float>(0, 0, data.Extent(0, 2));
  const size_t blocks = data.Extent(1, 2);  // the first launch's results are the second's input
  const auto partial = data.Buffer<float>(0, 1, blocks);
  const auto out = data.Buffer<float>(1, 1, 1);
  if (blocks == 0) ThrowBadInput("reference 'reduction_k6': expected 1 or more partial sums");
  std::vector<double> sums(blocks);
  double total = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    sums[i / kPiece % blocks] += double{in[i]};
    total += double{in[i]};
  }
  for (size_t block = 0; block < blocks; ++block) partial[block] = static_cast<float>(sums[block]);
  out[0] = static_cast<float>(total);
}

}  // namespace flagstone
