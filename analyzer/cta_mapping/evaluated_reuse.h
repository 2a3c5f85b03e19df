// Reuse distances of loads whose addresses are no affine forms: of the blocks that TBs read.
// Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_EVALUATED_REUSE_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_EVALUATED_REUSE_H_

#include <cstdint>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// How far apart, in TBs, two of one row (x) or column (y) of a plane of the grid are that read the
// same cache block; 0: none do.
struct EvaluatedReuse {
  int64_t distance_x = 0, distance_y = 0;
};

// Of the arrays that any load reads at addresses that are not affine, all loads of them together.
// Those that no footprint has go to `left_out`.
EvaluatedReuse FindEvaluatedReuse(const AddressAnalysis& analysis, const KernelLaunch& launch,
                                  const Footprints* footprints, uint64_t block_bytes,
                                  std::vector<SkippedLoad>& left_out);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_EVALUATED_REUSE_H_
