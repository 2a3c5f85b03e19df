// The whole launch's totals from those of a part of it: what waves counted whose time was taken,
// once more for each wave left out; with the 95 % interval that their spread gives.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_EXTRAPOLATION_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_EXTRAPOLATION_H_

#include <span>
#include <vector>

#include "gpu_model/stats/statistics.h"

namespace flagstone {

// Waves that stand for others.
struct SampledWaves {
  static constexpr size_t kMarks = 4;  // a wave
  // Totals before the first wave and at each mark of them: two waves at least.
  std::vector<LaunchStatistics> at_marks;
  double left_out = 0;  // TBs that they stand for
};

// Warp instructions of a TB that is left out: the mean, and its standard error.
struct TbWork {
  double mean = 1, deviation = 0;
};

struct Estimate {
  LaunchStatistics totals;
  LaunchStatistics half_widths;  // of the 95 % intervals, field by field
  // Of the cycles: half of the interval's width, in percent of the estimate.
  double CyclesPercent() const;
  // The part's own totals are estimates, with half widths: the whole's are as uncertain.
  void Widen(const LaunchStatistics& part, const LaunchStatistics& part_half_widths);
};

// `part`: of the part that was simulated to its end. What waves count for an instruction stands for
// the instructions of TBs left out. The variance is that of overlapping batch
// means (Meketon, Schmeiser, WSC 1984), a batch being a wave: TBs of one wave are no independent
// samples. By how much the later half of the waves differs from the earlier one is added. Fields
// that are no sums (StatisticsField::Total) stay as they are.
Estimate Extrapolate(const LaunchStatistics& part, std::span<const SampledWaves> waves,
                     const TbWork& work);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_EXTRAPOLATION_H_
