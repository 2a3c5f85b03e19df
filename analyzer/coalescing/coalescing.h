// Static coalescing (Kim, Eom, Kim: "Analyzing Data Locality on GPU Caches Using Static Profiling
// of Workloads", section III), and beside it the exact number of sectors per request, which that
// paper estimates.
//
// The rule: a warp's range is the 128 bytes from the start of the 32-byte sector that its first
// thread addresses. A thread is counted if its byte address lies in the range. Guards are set
// aside, loops are in their first iteration, and the last warp of a TB has the threads it has.
// Where an access's guards make its address simpler (min(i, n) below i < n), the simpler form is
// taken.
#ifndef FLAGSTONE_ANALYZER_COALESCING_COALESCING_H_
#define FLAGSTONE_ANALYZER_COALESCING_COALESCING_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

inline constexpr uint32_t kSectorOfRequest = 32;
inline constexpr uint32_t kRangeLocations = 32;  // of 4 bytes each

// Counted threads by their place in the range: (address - start of the range) / 4.
using CoalescingGraph = std::array<double, kRangeLocations>;

// One static load. Counts are of the whole launch, as far as doubles are exact.
struct LoadCoalescing {
  uint32_t pc = 0;
  // The rule.
  double threads = 0;
  double counted = 0;  // threads in their warp's range
  double warps = 0;
  CoalescingGraph graph = {};  // sums over warps
  std::string problem;         // why the addresses are not known; all of the above is 0 then
  // The loads as they are executed: guards and loops count.
  double requests = 0;          // warps' executions with at least one active thread
  double sectors = 0;           // sectors that these touch, summed
  std::string request_problem;  // why they are not known; both are 0 then
  // TBs that were looked at; fewer than the launch has where addresses had to be evaluated thread
  // by thread. The counts above are then scaled to the launch.
  uint64_t tbs = 0;
};

// Loads in program order. TBs of large grids are sampled, evenly spaced, only for loads that are
// deterministic without being affine; so are the warps of TBs that take long.
std::vector<LoadCoalescing> AnalyzeCoalescing(const AddressAnalysis& addresses,
                                              const KernelLaunch& launch);

// Of one load, or of several: degree and graph are then means over the loads, sectors_in_range
// counts the sectors of all of them, sectors_per_request is over all their requests. Loads with a
// problem have no part.
struct CoalescingMeasures {
  std::optional<double> degree;  // 0 to 1
  uint32_t sectors_in_range = 0;
  std::optional<double> sector_expectation;   // sectors_in_range / degree
  std::optional<double> sectors_per_request;  // exact
  CoalescingGraph graph = {};                 // threads per warp and load
  uint32_t left_out = 0;                      // loads whose addresses are not known
  uint32_t requests_left_out = 0;             // loads whose requests are not known
};
CoalescingMeasures Measure(std::span<const LoadCoalescing> loads);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_COALESCING_H_
