// An experiment about the loads of workloads, rather than about statistics of their runs
// (experiments/README.md has the keys).
#ifndef FLAGSTONE_FLOW_LOAD_STUDY_H_
#define FLAGSTONE_FLOW_LOAD_STUDY_H_

#include <string>
#include <vector>

#include "flow/run.h"
#include "record/json.h"

namespace flagstone {

class TomlReader;

struct LoadStudy {
  enum class Kind : uint8_t {
    kIterations,    // how often warps repeat their loads: a row per workload
    kWarpDistance,  // what strides between warps predict: a row per workload and distance
  };

  Kind kind = Kind::kIterations;
  std::vector<RunOptions> runs;  // one per workload; for kIterations, only its name and size count
  uint32_t warps = 0;            // kWarpDistance: the longest distance

  // Throws kBadInput with file and line.
  static LoadStudy Parse(const TomlReader& root, const std::vector<std::string>& settings = {});
};

// The rows of one of the study's workloads, an object each; a rate is null where it is undefined.
Json RunLoadStudy(const LoadStudy& study, size_t run);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_LOAD_STUDY_H_
