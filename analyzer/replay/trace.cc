#include "analyzer/replay/trace.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace flagstone::replay {
namespace {

bool IsLoad(const Step& step) {
  return step.kind == Step::Kind::kLoad || step.kind == Step::Kind::kCopy;
}

Amount AmountOf(std::span<const Step> steps) {
  Amount amount;
  amount.steps = static_cast<double>(steps.size());
  for (const Step& step : steps) {
    const bool writes = step.kind == Step::Kind::kStore || step.kind == Step::Kind::kAtomic;
    (writes ? amount.stored : amount.loaded) += SectorCount(step.sectors);
  }
  return amount;
}

// The first steps of a warp, and as many of those behind its last load.
std::vector<Step> Shortened(std::span<const Step> steps, size_t most) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(), IsLoad).base();
  auto cut = steps.begin() + static_cast<std::ptrdiff_t>(std::min(most, steps.size()));
  while (cut < last && cut->goes_on) ++cut;
  if (cut >= last) return {steps.begin(), steps.end()};
  std::vector<Step> left(steps.begin(), cut);
  uint32_t loads = 0;
  for (const Step& step : left) {
    if ((IsLoad(step) || step.kind == Step::Kind::kAtomic) && !step.goes_on) ++loads;
  }
  auto rest =
      last + std::max<std::ptrdiff_t>(0, steps.end() - last - static_cast<std::ptrdiff_t>(most));
  while (rest->goes_on) ++rest;
  for (auto step = rest; step != steps.end(); ++step) {
    left.push_back(*step);
    if (step->kind == Step::Kind::kResult) left.back().line = loads;
  }
  return left;
}

}  // namespace

Amount& Amount::operator+=(const Amount& other) {
  steps += other.steps;
  loaded += other.loaded;
  stored += other.stored;
  return *this;
}

void Trace::Append(std::span<const Step> warp) {
  first.push_back(static_cast<uint32_t>(steps.size()));
  steps.insert(steps.end(), warp.begin(), warp.end());
  const Amount amount = AmountOf(warp);
  whole += amount;
  kept += amount;
}

Trace Trace::ShortenedTo(uint32_t steps_of_warp) const {
  Trace trace;
  for (size_t warp = 0; warp < first.size(); ++warp) {
    const size_t end = warp + 1 < first.size() ? first[warp + 1] : steps.size();
    const std::span<const Step> of_warp(steps.data() + first[warp], end - first[warp]);
    trace.Append(Shortened(of_warp, steps_of_warp));
  }
  trace.whole = whole;
  return trace;
}

std::vector<double> Trace::CountSectors(size_t accesses) const {
  std::vector<std::unordered_map<LineNumber, SectorMask>> lines(accesses);
  std::vector<double> counts(accesses, 0);
  for (const Step& step : steps) {
    if (step.sectors == 0) continue;
    SectorMask& there = lines[step.access][step.line];
    counts[step.access] += SectorCount(static_cast<SectorMask>(step.sectors & ~there));
    there |= step.sectors;
  }
  return counts;
}

}  // namespace flagstone::replay
