// Along which direction of the grid TBs should follow one another on an SM (Liu, Liu, Wang,
// Algorithm 1).
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_CTA_MAPPING_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_CTA_MAPPING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/sharer_sets.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct CtaMapping {
  CtaDirection direction = CtaDirection::kRoundRobin;
  int64_t distance_x = 0;  // largest reuse distance, TBs
  int64_t distance_y = 0;
  std::string symbolic_x;  // the same as a function of the grid's extents gx, gy, gz
  std::string symbolic_y;
  // Data units that two TBs of one row (column) read: the distance says how far a block is reused,
  // this says how much there is of it.
  uint64_t weight_x = 0;
  uint64_t weight_y = 0;
  uint64_t pairs = 0;                 // of loads with affine addresses that were looked at
  uint64_t unsolved_pairs = 0;        // of them, those that took the solver too long
  std::vector<SkippedLoad> left_out;  // that distances know nothing of
};

// `block_bytes`: the cache block. Pairs include a load with itself. Affine loads are solved for any
// grid; arrays that others read too are looked up in the footprints, for the launch's grid.
// `footprints`: of the launch's loads, or null: then all but affine loads are left out.
CtaMapping AnalyzeCtaMapping(const AddressAnalysis& analysis, const KernelLaunch& launch,
                             const DeviceMemory& memory, const SharerSets& sharers,
                             const Footprints* footprints, uint64_t block_bytes = 128);

// Algorithm 1: the longer distance; x when they are the same; round-robin without any.
CtaDirection DirectionOf(int64_t distance_x, int64_t distance_y);

// weight_x and weight_y alone.
void SumWeights(const SharerSets& sharers, const Dim3& grid, CtaMapping& mapping);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_CTA_MAPPING_H_
