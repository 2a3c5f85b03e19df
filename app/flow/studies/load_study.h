// An experiment about the loads of workloads, rather than about statistics of their runs
// (experiments/README.md has the keys).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_H_

#include <string>
#include <vector>

#include "app/flow/run/run.h"
#include "app/results/run_json.h"

namespace flagstone {

class TomlReader;

struct LoadStudy {
  enum class Kind : uint8_t {
    kIterations,    // how often warps repeat their loads: a row per workload
    kWarpDistance,  // what strides between warps predict: a row per workload and distance
    kTbBases,       // where the TBs of the first SM load: a row per TB
    kCoalescing,    // static coalescing beside the L1's figures: a row per kernel
    kLadm,          // LADM's localities and schedulers: a row per published kernel
    kSharing,       // what PAVER's TBs share: a row per published kernel
  };

  // What the paper gives of a kernel.
  struct Published {
    std::string workload, kernel;
    std::string label;      // the paper's name
    Json theirs;            // by the names of the row's keys
    std::string explained;  // why ours is another; empty: nobody has said
  };

  Kind kind = Kind::kIterations;
  std::string figure;  // where the paper has it; empty: nowhere
  std::vector<RunOptions>
      runs;            // one per workload; of studies without a machine, only name and size count
  uint32_t warps = 0;  // kWarpDistance: the longest distance
  std::vector<Published> published;  // of kinds that have such figures

  // Throws kBadInput with file and line.
  static LoadStudy Parse(const TomlReader& root, const std::vector<std::string>& settings = {});
};

// One of the study's workloads, which is loaded already. The record has what `flagstone store`
// shows of all results (workload, size, machine, interrupted), and `rows`, an object each, in which
// a rate is null where it is undefined.
Json RunLoadStudy(const LoadStudy& study, size_t run, const Workload& workload);

// Sets what is published beside the rows of all runs, and gives what follows from all rows
// together: null for studies without published figures. Rows are then in the order of the published
// kernels, and have `label`, `theirs`, `agrees` and `explained`; of kernels without figures,
// kCoalescing keeps the rows behind them, with nulls. Throws kBadInput for a published kernel that
// its workload does not launch.
Json JudgeLoadStudy(const LoadStudy& study, Json* rows);

// Whether each published figure is ours, or its difference is explained.
bool IsReproduced(const Json& rows);

// As ResultIdentity() (app/flow/run/result_key.h), of what RunLoadStudy() gives.
std::string LoadStudyIdentity(const LoadStudy& study, size_t run, uint64_t input_hash);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_H_
