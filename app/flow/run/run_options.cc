#include "app/flow/run/run_options.h"

#include "base/error.h"

namespace flagstone {

std::string_view ToString(Values values) { return values == Values::kSlice ? "slice" : "full"; }

Workload LoadWorkload(const RunOptions& options, Workload::For purpose) {
  if (options.workload_text.empty()) {
    return Workload::Load(FindWorkload(options.workload), options.size, options.files, purpose);
  }
  return Workload::LoadText(options.workload_text, options.workload, options.size, options.files,
                            purpose);
}

Workload::For PurposeOf(const RunOptions& options) {
  const bool slice = options.values == Values::kSlice && !options.functional;
  return slice ? Workload::For::kAnalysis : Workload::For::kRun;
}

void ChooseBlocks(const std::string& warp_scheduler, const std::string& prefetcher,
                  MachineConfig* machine) {
  if (!warp_scheduler.empty()) machine->sm.warp_scheduler = warp_scheduler;
  if (!prefetcher.empty()) machine->sm.prefetcher = prefetcher;
}

void RequireSampleable(const RunOptions& options) {
  if (options.sample_percent == 0) return;
  const char* const other =
      !options.wave.file.empty() || options.wave_on.event != WaveEvent::kNone ? "--wave"
      : !options.checkpoint.empty() || !options.resume.empty()                ? "--checkpoint"
      : options.engine == Engine::kLockstep                                   ? "--engine lockstep"
      : options.check_races                                                   ? "--check-races"
      : options.functional                                                    ? "--functional"
      : !options.dumps.empty() && options.skip_checks                         ? "--dump-buffer"
                                                                              : nullptr;
  if (other == nullptr) return;
  ThrowBadInput("--sample leaves TBs out, and {} is of all: expected one of the two", other);
}

}  // namespace flagstone
