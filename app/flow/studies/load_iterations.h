// How often warps repeat their loads (CAPS paper, Fig. 4).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_LOAD_ITERATIONS_H_
#define FLAGSTONE_APP_FLOW_STUDIES_LOAD_ITERATIONS_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct Workload;

struct LoadIterations {
  uint32_t loads = 0;     // global loads in the code of the workload's kernels
  uint32_t repeated = 0;  // of these, executed more than once by some warp in a launch
  // Of those that were executed, most often executed first: executions per warp that did.
  std::vector<double> iterations;
};

// Executes the workload, without timing. Throws as RunFunctionally does.
LoadIterations CountLoadIterations(const Workload& workload);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_LOAD_ITERATIONS_H_
