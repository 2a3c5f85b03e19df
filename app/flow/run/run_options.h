// What a user asks of a run: one struct from the command line to the simulation.
//
// A new option is a field here, or in SimulateOptions if the simulation of a launch reads it; its
// registration in app/cli/ (options.cc for several verbs, run.cc for `run` alone); and the place
// that reads it. Nothing in between copies options field by field.
#ifndef FLAGSTONE_APP_FLOW_RUN_RUN_OPTIONS_H_
#define FLAGSTONE_APP_FLOW_RUN_RUN_OPTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch/workload.h"
#include "systemc/simulate_options.h"

namespace flagstone {

class ResultStore;

// What is executed: every instruction, or only what addresses, predicates and control need (the
// timing is the same; gpu_model/simt/value_slice.h).
enum class Values : uint8_t { kFull, kSlice };
std::string_view ToString(Values values);  // "full", "slice"

// Writes a buffer's bytes to a file.
struct BufferDump {
  std::string buffer, file;
};

struct RunOptions : SimulateOptions {
  // What runs.
  std::string workload;       // name or path
  std::string workload_text;  // not empty: of a workload.toml in the folder of the path
  std::string size = "test";
  InputFiles files;               // in the place of its inputs and buffers
  Values values = Values::kFull;  // a slice has no results to check: it needs skip_checks
  bool skip_checks = false;
  bool functional = false;     // execute without timing: no policy, no machine, no cycles
  std::string policy = "lrr";  // a name that FindPolicy knows (app/policy/policies.h)

  // The analysis before a launch.
  uint64_t seed = 1;        // of the partitioner
  bool known_data = false;  // it may execute launches to find addresses
  bool l1_fills = false;    // find AnalysisSummary::fills

  // Launches of many waves are simulated in part, until half of the 95 % interval of their cycles
  // is at most so many percent of them (app/flow/sample); 0: all launches whole.
  double sample_percent = 0;

  // Settings of the list in app/flow/run/perturbation.h that it runs under, for the deviation of
  // its figures; 0: it runs once, as it is.
  uint32_t perturb = 0;
  uint64_t perturb_up_to = 0;  // only launches of so many warp instructions in all; 0: any
  uint64_t buffer_offset = 0;  // bytes that buffers lie behind their place, of 256 each

  // None of these changes a result.
  uint64_t max_instructions = 0;  // of warps, in a launch that is only executed; 0: no limit
  std::string version;            // of the program: a checkpoint belongs to one
  const ResultStore* analyses = nullptr;  // a store that has those of earlier runs, and takes them
  double least_analysis_seconds = 0.005;  // quicker ones are made anew: to read them takes as long
  std::string checkpoint;                 // a file to save after each launch; empty: none
  std::string resume;                     // a checkpoint to go on from; empty: none

  // What is kept beside the totals.
  bool check_races = false;       // on shared memory
  std::vector<BufferDump> dumps;  // written after the last launch
};

// The workload that the options name, or whose text they have. Throws kBadInput.
Workload LoadWorkload(const RunOptions& options, Workload::For purpose = Workload::For::kRun);
// Instructions that are not executed do not stop a slice, which may not need their results.
Workload::For PurposeOf(const RunOptions& options);

// The machine with these blocks in its SMs; empty: its own.
void ChooseBlocks(const std::string& warp_scheduler, const std::string& prefetcher,
                  MachineConfig* machine);

// Throws kBadInput where the options sample, and ask for what only a whole launch has.
void RequireSampleable(const RunOptions& options);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_RUN_OPTIONS_H_
