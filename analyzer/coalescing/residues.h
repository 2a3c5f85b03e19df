// How the addresses of many TBs and iterations lie within their sectors, in closed form. Internal
// to this folder.
#ifndef FLAGSTONE_ANALYZER_COALESCING_RESIDUES_H_
#define FLAGSTONE_ANALYZER_COALESCING_RESIDUES_H_

#include <array>
#include <cstdint>

#include "analyzer/coalescing/coalescing.h"

namespace flagstone {

// How many points of a box have each residue modulo kSectorOfRequest. What a warp fetches depends
// on its TB and iteration by this residue alone: all else moves its addresses by whole sectors.
class Residues {
 public:
  // One point, with this value.
  explicit Residues(uint64_t value) { counts_[value % kSectorOfRequest] = 1; }

  // Each point becomes `count` points, further by 0, stride, ... (count - 1) * stride.
  void Repeat(int64_t stride, uint64_t count);

  const std::array<double, kSectorOfRequest>& counts() const { return counts_; }

 private:
  std::array<double, kSectorOfRequest> counts_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_RESIDUES_H_
