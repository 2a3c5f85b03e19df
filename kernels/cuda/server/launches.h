// The launches of a program, one after another, through the same code as a workload's
// (app/flow/run/launch_runner.h), and the record of them all.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_LAUNCHES_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_LAUNCHES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/flow/run/launch_runner.h"
#include "app/flow/run/run_options.h"
#include "app/results/run_record.h"
#include "base/pattern.h"
#include "kernels/launch/findings.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::cuda {

// Which launches are simulated and recorded; the others are executed without timing, and what they
// write comes as the host's writes in a recording.
struct Selection {
  std::optional<Pattern> kernel;            // of their names
  uint64_t first = 1, last = ~uint64_t{0};  // of those, counted from 1
};

// The launches of one kernel together.
struct KernelTotals {
  uint64_t launches = 0, simulated = 0;
  LaunchStatistics statistics;
};

class Launches {
 public:
  // Launches that are kept one by one without `keep_all`: a program may make any number of them.
  static constexpr size_t kKept = 20;

  Launches(const RunOptions& options, const Selection& selection, bool keep_all,
           const std::string& program);

  // Whether the next launch, of this kernel, is among those that were asked for. Counts it.
  bool Selects(const std::string& kernel);
  // Simulates a selected launch, where launches are not only executed. Throws as the simulation
  // does; the launch is then counted as failed.
  void Run(KernelLaunch launch, bool selected, DeviceMemory* memory);

  // Of device code that could not even be launched.
  void CountFailure() { ++failed_; }

  uint64_t count() const { return count_; }
  uint64_t failed() const { return failed_; }
  // Since the program's start, in the time of the machine.
  uint64_t Picoseconds() const;
  const std::map<std::string, KernelTotals>& kernels() const { return kernels_; }
  RunRecord& record() { return record_; }
  const RunOptions& options() const { return options_; }

 private:
  const RunOptions& options_;
  const Selection& selection_;
  bool keep_all_;
  RunRecord record_;
  LaunchRunner runner_;
  uint64_t count_ = 0, failed_ = 0, matching_ = 0;
  std::map<std::string, KernelTotals> kernels_;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_LAUNCHES_H_
