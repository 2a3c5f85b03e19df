#include "app/flow/sample/loop_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/flow/sample/extrapolation.h"
#include "base/error.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/energy/launch_energy.h"
#include "gpu_model/simt/value_slice.h"

namespace flagstone {
namespace {

// Of the L2's accesses: where iterations left out read so many more or fewer sectors from DRAM than
// the others, they took another time.
constexpr double kMostMoreReads = 0.03;
// Warp instructions of the TBs that are executed to find a loop.
constexpr uint64_t kMostExecuted = 100'000'000;

}  // namespace

// A later launch may need what this one does not: then all is computed.
LoopSampler::LoopSampler(const SimulateOptions& options, const LaunchRequest& launch,
                         const SampleRequest& request)
    : options_(options), launch_(launch), request_(request), only_needed_(*launch.launch) {
  if (options.miss_classes) return;
  const bool only_launch = launch.index == 0 && launch.count == 1;
  if (!request.execute && only_launch && only_needed_.needed_values.empty()) {
    only_needed_.needed_values = FindNeededValues({launch.launch, 1}, *launch.memory, {}).front();
  }
  FunctionalControl silent = request.control;
  silent.progress = nullptr;
  silent.max_warp_instructions = kMostExecuted;
  try {
    loop_ = ChooseLoop(only_needed_, *launch.memory, silent);
  } catch (const Error& error) {
    // A fault of the kernel's shows again when it is simulated.
    if (error.kind() != ErrorKind::kRunFailed) throw;
  }
}

std::string LoopSampler::WhyNot() const {
  if (options_.miss_classes) return "misses by class are counted";
  if (!loop_) return "no loop that the warps of a TB go round together";
  if (Share() <= kMost) return "";
  return fmt::format("the loop of {} has {:.0f} iterations, {:.0f} % of all instructions",
                     loop_->place, loop_->iterations, 100 * loop_->share);
}

LoopWindow LoopSampler::First() const {
  const auto measured =
      std::max(kIterations, static_cast<uint32_t>(kInstructions / loop_->instructions));
  return {measured / 3 + 1, measured};
}

double LoopSampler::ShareOf(const LoopWindow& window) const {
  return loop_->Simulated(window.Before() + window.Behind());
}

std::string LoopSampler::Simulate(LaunchRequest part, const LoopWindow& window,
                                  SimulationResult* result) const {
  LoopSample sample = loop_->sample;
  sample.from = window.Before();
  sample.count = static_cast<uint32_t>(loop_->iterations) - window.Before() - window.Behind();
  part.launch = &only_needed_;
  part.loop = &sample;
  try {
    *result = flagstone::Simulate(options_, part);
  } catch (const Error& error) {
    // Warps that do not go round the loop together; what is a fault of the kernel's shows again.
    if (error.kind() != ErrorKind::kRunFailed) throw;
    return fmt::format("with iterations of {} left out: {}", loop_->place, error.what());
  }
  const bool at_last_mark = part.stop_at_marks && result->at_marks.size() == part.marks.size();
  if (result->interrupted && !at_last_mark) return "";
  return Extend(part, window, result);
}

std::string LoopSampler::Extend(const LaunchRequest& part, const LoopWindow& window,
                                SimulationResult* result) const {
  const LoopProgress& progress = result->loop;
  const uint64_t skipped = progress.Skipped();
  if (skipped == 0) {
    return fmt::format("the loop of {} has few iterations", loop_->place);
  }
  const uint64_t ways_back = loop_->ways_back * launch_.launch->WarpsPerTb();
  if (!part.stop_at_marks && progress.simulated + skipped != ways_back * part.Tbs()) {
    return fmt::format("TBs go round the loop of {} unequally often", loop_->place);
  }
  const LoopExtrapolation gaps(progress, window, loop_->instructions);
  LaunchStatistics& totals = result->launch.statistics;
  LaunchStatistics half_widths = totals, of_mark;
  bool known = true;
  for (LaunchStatistics& mark : result->at_marks) known = known && gaps.AddTo(&mark, &of_mark);
  if (!part.stop_at_marks) known = known && gaps.AddTo(&totals, &half_widths);
  if (!known) {
    return fmt::format("warps that go round the loop of {} are too far apart", loop_->place);
  }
  if (part.stop_at_marks) return "";
  if (static_cast<double>(half_widths.dram.reads) >
      kMostMoreReads * static_cast<double>(totals.l2.accesses)) {
    return fmt::format("iterations left out of {} read more or fewer sectors from DRAM than others",
                       loop_->place);
  }
  result->launch.sample = {.tbs = part.Tbs(),
                           .loop = loop_->place,
                           .iterations = progress.simulated,
                           .all_iterations = ways_back * launch_.launch->TbCount(),
                           .half_widths = half_widths,
                           .whole = ""};
  return "";
}

std::optional<SimulationResult> LoopSampler::Try(std::string* why) {
  const LaunchState before(launch_);
  for (LoopWindow window = First(); ShareOf(window) <= kMost; window = window.Doubled()) {
    SimulationResult run;
    *why = Simulate(launch_, window, &run);
    if (why->empty() && run.interrupted) return run;
    if (why->empty()) {
      LaunchStatistics& totals = run.launch.statistics;
      const double percent = Estimate{totals, run.launch.sample->half_widths}.CyclesPercent();
      totals.energy =
          EnergyOf(totals, options_.machine, options_.machine.sm.prefetcher != kNoPrefetcher);
      if (percent <= request_.percent) return run;
      *why = fmt::format("the cycles of {}'s iterations were known to {:.1f} %", loop_->place,
                         percent);
    }
    before.Restore();
  }
  return std::nullopt;
}

}  // namespace flagstone
