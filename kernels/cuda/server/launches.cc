#include "kernels/cuda/server/launches.h"

#include <utility>

#include "app/flow/run/run_head.h"
#include "app/policy/policies.h"
#include "base/demangle.h"
#include "base/error.h"
#include "base/hash.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::cuda {

Launches::Launches(const RunOptions& options, const Selection& selection, bool keep_all,
                   const std::string& program)
    : options_(options),
      selection_(selection),
      keep_all_(keep_all),
      record_(BeginRecord(options, program, 0)),
      runner_(options, FindPolicy(options.policy), /*several=*/true, &record_) {
  record_.size = record_.asked_size = "";  // sizes are of workloads
}

bool Launches::Selects(const std::string& kernel) {
  if (selection_.kernel && !selection_.kernel->IsIn(kernel) &&
      !selection_.kernel->IsIn(KernelName(kernel))) {
    return false;
  }
  ++matching_;
  return matching_ >= selection_.first && matching_ <= selection_.last;
}

void Launches::Run(KernelLaunch launch, bool selected, DeviceMemory* memory) {
  Findings findings;
  findings.wants_races = options_.check_races;
  launch.findings = &findings;
  const std::string& name = launch.kernel->name;
  const bool simulated = selected && !options_.functional;
  LaunchRecord done;
  try {
    done = simulated ? runner_.Run(launch, 0, memory) : runner_.Execute(launch, 0, memory);
  } catch (const Error&) {
    ++failed_;
    throw;
  }
  done.executed = !simulated;
  ++count_;
  for (Finding& finding : findings.List()) record_.findings.push_back(std::move(finding));
  KernelTotals& totals = kernels_[name];
  ++totals.launches;
  totals.simulated += simulated ? 1 : 0;
  totals.statistics += done.statistics;
  record_.totals += done.statistics;
  if (keep_all_ || record_.launches.size() < kKept) record_.launches.push_back(std::move(done));
}

uint64_t Launches::Picoseconds() const {
  const uint64_t mhz = options_.machine.clock.core;
  const uint64_t cycles = record_.totals.cycles;
  return cycles / mhz * 1'000'000 + cycles % mhz * 1'000'000 / mhz;
}

}  // namespace flagstone::cuda
