#include "app/flow/sample/loop_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

uint32_t LoopSampler::First() const {
  return std::max(kIterations, static_cast<uint32_t>(kInstructions / loop_->instructions));
}

double LoopSampler::ShareOf(uint32_t measured) const {
  return loop_->Simulated(2 * Settle()) + loop_->Simulated(3 * Settle()) +
         2 * loop_->Simulated(2 * Settle() + measured);
}

SimulationResult LoopSampler::Run(uint32_t before, uint32_t amidst, uint32_t behind) {
  before_->Restore();
  LoopSample sample = loop_->sample;
  const auto all = static_cast<uint32_t>(loop_->iterations);
  const uint32_t left_out = all - before - amidst - behind;
  sample.gaps.push_back({before, amidst == 0 ? left_out : left_out / 2});
  if (amidst != 0) sample.gaps.push_back({before + left_out / 2 + amidst, left_out - left_out / 2});
  LaunchRequest part = launch_;
  part.launch = &only_needed_;
  part.loop = &sample;
  return Simulate(options_, part);
}

std::optional<SimulationResult> LoopSampler::Try(std::string* why) {
  before_.emplace(launch_);
  try {
    Runs runs;
    const uint32_t settle = Settle();
    const auto run = [&](uint32_t before, uint32_t amidst, uint32_t behind,
                         SimulationResult* into) {
      *into = Run(before, amidst, behind);
      return !into->interrupted;
    };
    if (!run(settle, 0, settle, &runs.shortest)) return std::move(runs.shortest);
    if (!run(settle, settle, settle, &runs.two_gaps)) return std::move(runs.two_gaps);
    for (uint32_t measured = First(); ShareOf(measured) <= kMost; measured *= 2) {
      const uint32_t longer = settle + measured;
      if (!run(settle, 0, longer, &runs.longer_end)) return std::move(runs.longer_end);
      if (!run(longer, 0, settle, &runs.longer_beginning)) return std::move(runs.longer_beginning);
      std::optional<SimulationResult> whole = Whole(runs, why);
      if (whole) return whole;
    }
  } catch (const Error& error) {
    // Warps that do not go round the loop together; what is a fault of the kernel's shows again.
    if (error.kind() != ErrorKind::kRunFailed) throw;
    *why = fmt::format("with iterations of {} left out: {}", loop_->place, error.what());
  }
  before_->Restore();
  return std::nullopt;
}

std::optional<SimulationResult> LoopSampler::Whole(const Runs& runs, std::string* why) const {
  const SkippedLoop& left_out = runs.longer_beginning.skipped;
  const auto more = [&](const SimulationResult& run) {
    return static_cast<double>(run.skipped.simulated) -
           static_cast<double>(runs.shortest.skipped.simulated);
  };
  if (left_out.skipped == 0 || more(runs.longer_end) <= 0 || more(runs.longer_beginning) <= 0) {
    *why = fmt::format("the loop of {} has few iterations", loop_->place);
    return std::nullopt;
  }
  const uint64_t warps = launch_.launch->WarpsPerTb() * launch_.launch->TbCount();
  if (left_out.simulated + left_out.skipped != loop_->ways_back * warps) {
    *why = fmt::format("TBs go round the loop of {} unequally often", loop_->place);
    return std::nullopt;
  }
  const auto skipped = static_cast<double>(left_out.skipped);
  const LaunchStatistics& part = runs.longer_beginning.launch.statistics;
  LaunchStatistics all = part, half_widths = part;
  for (const StatisticsField& field : StatisticsTable()) {
    if (field.total != StatisticsField::Total::kSum) continue;
    const std::span<uint64_t> values = field.values(all), halves = field.values(half_widths);
    for (size_t i = 0; i < values.size(); ++i) {
      const auto added = [&](const SimulationResult& run) {
        return static_cast<double>(field.Get(run.launch.statistics)[i]) -
               static_cast<double>(field.Get(runs.shortest.launch.statistics)[i]);
      };
      const double early = added(runs.longer_beginning) / more(runs.longer_beginning);
      const double late = added(runs.longer_end) / more(runs.longer_end);
      const double mean = (early + late) / 2;
      const double gap = added(runs.two_gaps) - mean * more(runs.two_gaps);
      const double whole = static_cast<double>(values[i]) + mean * skipped - gap;
      values[i] = static_cast<uint64_t>(std::llround(std::max(0.0, whole)));
      halves[i] = static_cast<uint64_t>(std::llround(std::abs(early - late) * skipped));
    }
  }
  const double percent =
      100 * static_cast<double>(half_widths.cycles) / static_cast<double>(all.cycles);
  if (percent > request_.percent) {
    *why =
        fmt::format("the cycles of {}'s iterations were known to {:.1f} %", loop_->place, percent);
    return std::nullopt;
  }
  const uint64_t reads = part.dram.reads + left_out.reads;
  const uint64_t difference = std::max(reads, all.dram.reads) - std::min(reads, all.dram.reads);
  if (static_cast<double>(difference) > kMostMoreReads * static_cast<double>(all.l2.accesses)) {
    *why =
        fmt::format("iterations left out of {} read {:.2f} times as much from DRAM as others",
                    loop_->place, static_cast<double>(reads) / static_cast<double>(all.dram.reads));
    return std::nullopt;
  }
  all.dram.reads = reads;
  all.dram.writes = part.dram.writes + left_out.writes;
  half_widths.dram.reads = difference;
  all.energy = EnergyOf(all, options_.machine, options_.PrefetcherName() != kNoPrefetcher);
  SimulationResult result = runs.longer_beginning;
  result.launch.statistics = all;
  result.launch.sample = {.tbs = launch_.Tbs(),
                          .loop = loop_->place,
                          .iterations = left_out.simulated,
                          .all_iterations = left_out.simulated + left_out.skipped,
                          .half_widths = half_widths,
                          .whole = ""};
  return result;
}

}  // namespace flagstone
