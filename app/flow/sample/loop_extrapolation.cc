#include "app/flow/sample/loop_extrapolation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/spread.h"

namespace flagstone {
namespace {

using Marks = std::span<const LoopProgress::Mark>;

// While all warps go round once there are two marks, at different places of the loop: a window's
// halves are whole rounds, or they could not be compared.
constexpr size_t kStep = 4;

// The fields that are sums, in the table's order.
template <class Do>
void ForEachSum(LaunchStatistics* of, Do&& act) {
  size_t index = 0;
  for (const StatisticsField& field : StatisticsTable()) {
    if (field.total != StatisticsField::Total::kSum) continue;
    for (uint64_t& value : field.values(*of)) act(index++, &value);
  }
}

std::vector<double> SumsOf(LaunchStatistics of) {
  std::vector<double> sums;
  ForEachSum(&of,
             [&](size_t, const uint64_t* value) { sums.push_back(static_cast<double>(*value)); });
  return sums;
}

size_t IndexOf(uint64_t LaunchStatistics::*field) {
  LaunchStatistics any;
  size_t index = 0;
  ForEachSum(&any, [&](size_t i, const uint64_t* value) {
    if (value == &(any.*field)) index = i;
  });
  return index;
}

// From when so many warps have been released and then so many iterations have been done, as long as
// no more than `arrived` warps have arrived; none where that is too short.
Marks WindowOf(Marks marks, uint64_t released, uint64_t iterations, uint64_t arrived) {
  const auto first = [&](auto from, auto&& is_before) {
    return std::partition_point(from, marks.end(), is_before);
  };
  const auto all = first(marks.begin(), [&](const LoopProgress::Mark& mark) {
    return mark.counts.released < released;
  });
  if (all == marks.end()) return {};
  const auto begin = first(all, [&](const LoopProgress::Mark& mark) {
    return mark.counts.iterations < all->counts.iterations + iterations;
  });
  const auto end =
      first(begin, [&](const LoopProgress::Mark& mark) { return mark.counts.arrived <= arrived; });
  const auto count = static_cast<size_t>(end - begin);
  if (count <= kStep) return {};
  return {begin, (count - 1) / kStep * kStep + 1};
}

// What each half counts for an instruction, and the totals at its ends.
struct Window {
  explicit Window(Marks marks)
      : at{SumsOf(marks.front().totals), SumsOf(marks[marks.size() / 2].totals),
           SumsOf(marks.back().totals)} {}
  double OfInstruction(size_t half, size_t i, size_t work) const {
    return (at[half + 1][i] - at[half][i]) / std::max(1.0, at[half + 1][work] - at[half][work]);
  }
  std::array<std::vector<double>, 3> at;
};

uint64_t Rounded(double value) { return static_cast<uint64_t>(std::llround(std::max(0.0, value))); }

}  // namespace

LoopExtrapolation::LoopExtrapolation(const LoopProgress& progress, const LoopWindow& window,
                                     double instructions) {
  const size_t work = IndexOf(&LaunchStatistics::warp_instructions);
  uint64_t released = 0;
  for (const LoopProgress::Gap& gap : progress.gaps) {
    Addition& addition = gaps_.emplace_back();
    addition.cycle = gap.cycle;
    addition.reads = gap.reads;
    addition.writes = gap.writes;
    const uint64_t settle = gap.warps * window.settle;
    const uint64_t begin = gap.counts.iterations - gap.warps * window.Before();
    const Marks before =
        WindowOf(progress.marks, 0, begin + settle, gap.counts.arrived - gap.warps);
    released += gap.warps;
    const Marks behind = WindowOf(progress.marks, released, settle, gap.counts.arrived);
    if (before.empty() || behind.empty()) continue;
    const Window early(before), late(behind);
    const double all =
        static_cast<double>(gap.skipped) * instructions + late.at[0][work] - early.at[2][work];
    // An iteration apart is nothing that grows.
    const auto first = static_cast<double>(gap.first_waits) - static_cast<double>(begin);
    const auto round = static_cast<double>(gap.warps);
    addition.apart = std::max(0.0, 1 - (first / round + 1) / window.Before());
    addition.half_round = round * instructions / 2 / all;
    for (size_t i = 0; i < late.at[0].size(); ++i) {
      addition.counted.push_back(late.at[0][i] - early.at[2][i]);
      addition.samples.push_back(
          {early.OfInstruction(0, i, work) * all, early.OfInstruction(1, i, work) * all,
           late.OfInstruction(0, i, work) * all, late.OfInstruction(1, i, work) * all});
    }
  }
}

bool LoopExtrapolation::AddTo(LaunchStatistics* totals, LaunchStatistics* half_widths) const {
  const size_t fields = SumsOf(*totals).size(), cycles = IndexOf(&LaunchStatistics::cycles);
  double apart = 0;
  std::vector<Samples> samples(fields);
  std::vector<double> counted(fields), half_rounds(fields);
  uint64_t reads = totals->dram.reads, writes = totals->dram.writes;
  for (const Addition& gap : gaps_) {
    if (gap.cycle >= totals->cycles) break;
    if (gap.samples.empty()) return false;
    for (size_t i = 0; i < fields; ++i) {
      for (size_t k = 0; k < samples[i].size(); ++k) samples[i][k] += gap.samples[i][k];
      counted[i] += gap.counted[i];
      half_rounds[i] += Spread::Of(gap.samples[i]).mean * gap.half_round;
    }
    apart = Spread::Of(gap.samples[cycles]).mean * gap.apart;
    reads += gap.reads;
    writes += gap.writes;
  }
  ForEachSum(totals, [&](size_t i, uint64_t* value) {
    const double more = Spread::Of(samples[i]).mean - counted[i];
    *value = Rounded(static_cast<double>(*value) + more);
  });
  ForEachSum(half_widths, [&](size_t i, uint64_t* value) {
    const Spread spread = Spread::Of(samples[i]);
    const auto count = static_cast<double>(spread.count);
    *value =
        Rounded(StudentT(spread.count - 1) * spread.deviation / std::sqrt(count) + half_rounds[i]);
  });
  half_widths->cycles += Rounded(apart);
  // How far what an iteration beside the gap reads is from what was read in it.
  half_widths->dram.reads =
      std::max(reads, totals->dram.reads) - std::min(reads, totals->dram.reads);
  totals->dram.reads = reads;
  totals->dram.writes = writes;
  return true;
}

}  // namespace flagstone
