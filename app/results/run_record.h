// What a run did, launch by launch, with its checks: the record that text, JSON, CSV and timeline
// are written from.
#ifndef FLAGSTONE_APP_RESULTS_RUN_RECORD_H_
#define FLAGSTONE_APP_RESULTS_RUN_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/results/counters.h"
#include "app/results/launch_record.h"
#include "kernels/launch/findings.h"
#include "kernels/launch/workload.h"  // CheckResult

namespace flagstone {

// A hardware block, and what stood in for it.
struct BlockBody {
  std::string path;  // "gpu.tb_scheduler"; "gpu.sm*.prefetcher": that of every SM
  std::string body;  // "model", "rtl", "lockstep"
};

// The instructions of a kernel, by pc.
struct KernelListing {
  std::string entry;
  std::vector<uint32_t> lines;  // of the PTX file
  std::vector<std::string> texts;
};

struct RunRecord {
  std::string workload;
  std::string size, asked_size;  // Workload's: empty where it has none
  std::string machine, policy, warp_scheduler, prefetcher, engine, values;
  uint64_t seed = 1;
  uint64_t config_hash = 0;  // of everything that changes results, the engine aside
  uint64_t input_hash = 0;   // of the workload
  std::vector<BlockBody> blocks;
  std::vector<LaunchRecord> launches;
  std::vector<KernelListing> kernels;  // of the launches, each once, where detail is asked for
  LaunchStatistics totals;
  std::optional<RunCounters> counters;  // where RunOptions::detail asks for them
  bool miss_classes = false;            // were counted
  std::vector<Finding> findings;        // of all launches, in their order
  std::vector<CheckResult> checks;
  bool checks_skipped = false;  // the workload has some, and the options left them out
  uint64_t lockstep_cycles = 0;
  bool interrupted = false;
  // The event at which the wave begins, where the options name one and it came about.
  struct WaveEventSeen {
    std::string path;     // of the block
    uint64_t launch = 0;  // launches before this one
    uint64_t cycle = 0;   // of the launch
  };
  std::optional<WaveEventSeen> wave_event;
  struct Host {
    double seconds = 0;           // wall clock of the whole run
    double analysis_seconds = 0;  // addresses, graph and partition, or finding what they gave
    double jit_seconds = 0;       // the same when they were made, here or in an earlier run
    double lookup_seconds = 0;    // finding out that a launch is one that was analysed
    // The kernels' cycles on the machine's clock, and before them the analysis on this host: what
    // first launches would take (PAVER, Fig. 10), and launches that come again.
    double kernel_and_jit_seconds = 0, kernel_and_lookup_seconds = 0;
    double cpu_seconds = 0;  // of the simulation
    uint64_t peak_rss_bytes = 0;
  } host;

  bool Timed() const { return engine != "functional"; }
  bool ChecksPassed() const;
  bool HasRaces() const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_RUN_RECORD_H_
