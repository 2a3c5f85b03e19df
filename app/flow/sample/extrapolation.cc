#include "app/flow/sample/extrapolation.h"

#include <algorithm>
#include <cmath>

#include "base/spread.h"

namespace flagstone {
namespace {

constexpr double kNormal = 1.960;  // the 97.5 % quantile of the normal distribution

// By how much the later half of the counts lies above or below the earlier one: what goes on like
// this is not yet what it will be.
double Drift(std::span<const double> counts) {
  const size_t half = counts.size() / 2;
  return Spread::Of(counts.last(half)).mean - Spread::Of(counts.first(half)).mean;
}

// What element `i` of a field counts for an instruction: the mean, and half of its 95 % interval.
// By instructions, because a mark does not part the work of TBs that run at the same time.
struct OfInstruction {
  double mean = 0, half_width = 0;
};
OfInstruction MeanOfWaves(const SampledWaves& waves, const StatisticsField& field, size_t i) {
  constexpr size_t kBatch = SampledWaves::kMarks;
  const size_t parts = waves.at_marks.size() - 1;  // of waves
  std::vector<double> counts;
  for (size_t end = kBatch; end <= parts; ++end) {
    const LaunchStatistics &from = waves.at_marks[end - kBatch], &to = waves.at_marks[end];
    const auto work = static_cast<double>(to.warp_instructions - from.warp_instructions);
    const double count =
        static_cast<double>(field.Get(to)[i]) - static_cast<double>(field.Get(from)[i]);
    counts.push_back(count / std::max(1.0, work));
  }
  const Spread spread = Spread::Of(counts);
  const double variance =
      kBatch * spread.deviation * spread.deviation / static_cast<double>(parts - kBatch);
  const size_t freedom = 3 * (parts / kBatch - 1) / 2;
  return {spread.mean, std::hypot(StudentT(freedom) * std::sqrt(variance), Drift(counts))};
}

}  // namespace

double Estimate::CyclesPercent() const {
  return 100 * static_cast<double>(half_widths.cycles) / static_cast<double>(totals.cycles);
}

void Estimate::Widen(const LaunchStatistics& part, const LaunchStatistics& part_half_widths) {
  for (const StatisticsField& field : StatisticsTable()) {
    if (field.total != StatisticsField::Total::kSum) continue;
    const std::span<uint64_t> halves = field.values(half_widths);
    for (size_t i = 0; i < halves.size(); ++i) {
      const auto of_part = static_cast<double>(std::max<uint64_t>(1, field.Get(part)[i]));
      const double share = static_cast<double>(field.Get(part_half_widths)[i]) / of_part;
      halves[i] +=
          static_cast<uint64_t>(std::llround(share * static_cast<double>(field.values(totals)[i])));
    }
  }
}

Estimate Extrapolate(const LaunchStatistics& part, std::span<const SampledWaves> waves,
                     const TbWork& work) {
  Estimate estimate = {part, part};
  for (const StatisticsField& field : StatisticsTable()) {
    if (field.total != StatisticsField::Total::kSum) continue;
    const std::span<uint64_t> totals = field.values(estimate.totals);
    const std::span<uint64_t> half_widths = field.values(estimate.half_widths);
    for (size_t i = 0; i < totals.size(); ++i) {
      double more = 0, squares = 0;
      for (const SampledWaves& like : waves) {
        const OfInstruction count = MeanOfWaves(like, field, i);
        more += like.left_out * work.mean * count.mean;
        squares += std::pow(like.left_out * work.mean * count.half_width, 2) +
                   std::pow(like.left_out * count.mean * kNormal * work.deviation, 2);
      }
      totals[i] += static_cast<uint64_t>(std::llround(std::max(0.0, more)));
      half_widths[i] = static_cast<uint64_t>(std::llround(std::sqrt(squares)));
    }
  }
  return estimate;
}

}  // namespace flagstone
