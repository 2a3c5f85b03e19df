// A workload under one policy on one machine, launch by launch, with its checks: what `run` prints
// and `compare` sets side by side.
#ifndef FLAGSTONE_FLOW_RUN_H_
#define FLAGSTONE_FLOW_RUN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/locality/locality_graph.h"
#include "analyzer/partition/policies.h"
#include "flow/l1_fills.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/stats/statistics.h"
#include "launch/workload.h"
#include "systemc/simulation.h"

namespace flagstone {

// What is executed: every instruction, or only what addresses, predicates and control need (the
// timing is the same; gpu_model/simt/value_slice.h).
enum class Values : uint8_t { kFull, kSlice };

struct RunRequest {
  std::string workload;  // name or path
  InputFiles files;      // in the place of its inputs and buffers
  std::string size = "test";
  MachineConfig machine;
  const Policy* policy = nullptr;
  std::string warp_scheduler;  // empty: the machine's
  std::string prefetcher;      // empty: the machine's
  Engine engine = Engine::kRtl;
  Values values = Values::kFull;  // a slice has no results to check: it needs skip_checks
  bool skip_checks = false;
  bool functional = false;  // execute without timing: no policy, no machine, no cycles
  bool cold_l2 = false;
  bool miss_classes = false;  // count the L1's load misses by class
  bool l1_fills = false;      // find AnalysisSummary::fills
  bool known_data = false;    // the analysis may execute launches to find addresses
  uint64_t seed = 1;
  uint64_t max_cycles = 0;
  uint32_t threads = 1;  // of each simulation; results are the same for any number
  WaveRequest wave;
  Timeline* timeline = nullptr;  // takes all launches
  // Takes the global loads of each launch, SM by SM; null: nobody.
  std::vector<std::vector<LoadLog>>* load_logs = nullptr;
  std::string version;     // of the program: a checkpoint belongs to one
  std::string checkpoint;  // a file to save after each launch; empty: none
  std::string resume;      // a checkpoint to go on from; empty: none
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* interrupted = nullptr;
};

// What the analysis of a launch found; absent for policies that need none.
struct AnalysisSummary {
  uint64_t tbs = 0, edges = 0, parts = 0;
  double kept_weight = 0;
  double union_ratio = 1;
  std::optional<L1Fills> fills = {};
};

struct LaunchResult {
  std::string entry;
  Dim3 grid, block;
  LaunchStatistics statistics;
  std::optional<Occupancy> occupancy;  // none where the launch is only executed
  std::optional<AnalysisSummary> analysis;
  std::vector<LoadPrefetches> load_prefetches;  // by pc; without a prefetcher: empty
};

struct RunResult {
  std::string workload, size, machine, policy, warp_scheduler, prefetcher, engine;
  uint64_t seed = 1;
  uint64_t config_hash = 0;  // of everything that changes results, the engine aside
  uint64_t input_hash = 0;   // of the workload
  std::vector<BlockBody> blocks;
  std::vector<LaunchResult> launches;
  LaunchStatistics totals;
  Values values = Values::kFull;
  bool miss_classes = false;  // were counted
  std::vector<CheckResult> checks;
  bool checks_skipped = false;  // the workload has some, and the request left them out
  uint64_t lockstep_cycles = 0;
  bool interrupted = false;
  struct Host {
    double seconds = 0;           // wall clock of the whole run
    double analysis_seconds = 0;  // addresses, graph and partition
    // The kernels' cycles on the machine's clock, and the analysis on this host before them: what a
    // launch would take (PAVER, Fig. 10).
    double kernel_and_jit_seconds = 0;
    double cpu_seconds = 0;  // of the simulation
    uint64_t peak_rss_bytes = 0;
  } host;

  bool ChecksPassed() const;
  // Thread instructions per core cycle.
  static double Ipc(const LaunchStatistics& statistics);
};

std::string_view ToString(Values values);

// Throws kBadInput for a slice of a workload whose checks are wanted.
RunResult RunWorkload(const RunRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_RUN_H_
