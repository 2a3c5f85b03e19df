#include "app/order/executed_tb.h"

#include <algorithm>

namespace flagstone::order {
namespace {

using Together = SliceEvaluator::Together;

uint64_t FirstAddress(const Together& executed) {
  return executed.addresses[static_cast<size_t>(std::countr_zero(executed.lanes))];
}

}  // namespace

std::optional<ExecutedTb> ExecutedTb::Evaluate(uint64_t tb, uint32_t warps,
                                               SliceEvaluator* evaluator) {
  ExecutedTb executed;
  for (uint32_t warp = 0; warp < warps; ++warp) {
    const bool whole = evaluator->VisitWarp(
        tb, warp, [&](const Together& at) { executed.Add(at, warp, warps, *evaluator); });
    if (!whole) return std::nullopt;
    executed.end_.push_back(executed.accesses_.size());
  }
  return executed;
}

std::optional<ExecutedTb::Shifts> ExecutedTb::ShiftsTo(uint64_t tb, uint32_t warps,
                                                       SliceEvaluator* evaluator) const {
  Shifts shifts;
  size_t count = 0;
  bool alike = true;
  for (uint32_t warp = 0; warp < warps; ++warp) {
    const bool whole = evaluator->VisitWarp(tb, warp, [&](const Together& at) {
      alike = alike && count < end_[warp] && IsAlike(at, accesses_[count], &shifts);
      ++count;
    });
    if (!whole || !alike || count != end_[warp]) return std::nullopt;
  }
  return shifts;
}

void ExecutedTb::Add(const Together& executed, uint32_t warp, uint32_t warps,
                     const SliceEvaluator& evaluator) {
  Access access = {executed.pc, warp, executed.lanes, PatternOf(executed), FirstAddress(executed)};
  std::vector<uint32_t>& times = times_[executed.pc];
  times.resize(size_t{warps} * kSliceLanes);
  Offsets turns = {};
  bool alike = true;
  for (uint32_t left = executed.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    ++times[warp * kSliceLanes + lane];
    turns[lane] = evaluator.TurnOf(executed.pc, lane);
    if (left == executed.lanes) access.turn = turns[lane];
    alike = alike && turns[lane] == access.turn;
  }
  if (!alike) {
    access.turns = turns_.size();
    turns_.push_back(turns);
  }
  accesses_.push_back(access);
}

uint32_t ExecutedTb::MostTimes() const {
  uint32_t most = 0;
  for (const auto& [pc, times] : times_) {
    most = std::max(most, *std::max_element(times.begin(), times.end()));
  }
  return most;
}

uint32_t ExecutedTb::PatternOf(const Together& executed) {
  std::vector<uint32_t>& known = patterns_of_[executed.pc];
  for (const uint32_t pattern : known) {
    if (HasOffsets(executed, patterns_[pattern])) return pattern;
  }
  known.push_back(static_cast<uint32_t>(patterns_.size()));
  Offsets& offsets = patterns_.emplace_back();
  for (size_t lane = 0; lane < kSliceLanes; ++lane) {
    offsets[lane] = executed.addresses[lane] - FirstAddress(executed);
  }
  return known.back();
}

bool ExecutedTb::HasOffsets(const Together& executed, const Offsets& offsets) {
  const uint64_t first = FirstAddress(executed);
  const auto differs = [&](size_t lane) {
    return (executed.addresses[lane] - first) ^ offsets[lane];
  };
  uint64_t any = 0;
  if (executed.lanes == kAllSliceLanes) {  // mostly, and without a branch for each lane
    for (size_t lane = 0; lane < kSliceLanes; ++lane) any |= differs(lane);
    return any == 0;
  }
  for (uint32_t left = executed.lanes; left != 0; left &= left - 1) {
    any |= differs(static_cast<size_t>(std::countr_zero(left)));
  }
  return any == 0;
}

bool ExecutedTb::IsAlike(const Together& here, const Access& there, Shifts* shifts) const {
  if (here.pc != there.pc || here.lanes != there.lanes) return false;
  if (!HasOffsets(here, patterns_[there.pattern])) return false;
  const auto bytes = static_cast<int64_t>(FirstAddress(here) - there.address);
  return shifts->try_emplace(here.pc, bytes).first->second == bytes;
}

}  // namespace flagstone::order
