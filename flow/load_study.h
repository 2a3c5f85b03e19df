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

// One of the study's workloads, which is loaded already. The record has what `flagstone store`
// shows of all results (workload, size, machine, interrupted), and `rows`, an object each, in which
// a rate is null where it is undefined.
Json RunLoadStudy(const LoadStudy& study, size_t run, const Workload& workload);

// As ResultIdentity() (flow/result_key.h), of what RunLoadStudy() gives.
std::string LoadStudyIdentity(const LoadStudy& study, size_t run, uint64_t input_hash);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_LOAD_STUDY_H_
