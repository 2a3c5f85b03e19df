// How often loops turn.
//
// A trip count follows from the values that the loop compares, and whether those wrap around
// follows from the trip count. So it is first worked out as if nothing wrapped, then again with the
// counter's range that this gives: if the result is the same, no value has wrapped up to the exit.
#include <algorithm>

#include "analyzer/address/value_analysis.h"
#include "base/arithmetic.h"

namespace flagstone {
namespace {

// Loops that depend on each other are worked out within each other, each twice. Further in than
// this they are so once, which is enough: what follows from suppositions is forgotten, and checked.
constexpr uint32_t kMostSuppositions = 1;

constexpr int64_t kMaxTrips = int64_t{1} << 40;

bool OnlyVariesWith(const AffineForm& form, uint32_t loop) {
  AffineForm rest = form;
  SetLoopCoefficient(rest, loop, 0);
  return IsConstant(rest);
}

using Intervals = std::vector<Interval>;  // ascending, disjoint

Intervals Union(const Intervals& a, const Intervals& b) {
  Intervals all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end(),
            [](const Interval& x, const Interval& y) { return x.low < y.low; });
  Intervals merged;
  for (const Interval& interval : all) {
    if (!merged.empty() && interval.low <= merged.back().high) {
      merged.back().high = std::max(merged.back().high, interval.high);
    } else {
      merged.push_back(interval);
    }
  }
  return merged;
}

Intervals Intersection(const Intervals& a, const Intervals& b) {
  Intervals common;
  for (const Interval& x : a) {
    for (const Interval& y : b) {
      const Interval both{std::max(x.low, y.low), std::min(x.high, y.high)};
      if (both.low <= both.high) common.push_back(both);
    }
  }
  return common;
}

// The iterations at which the condition holds; false where it depends on more than the counter.
bool Iterations(const Condition& condition, uint32_t loop, Intervals& iterations) {
  switch (condition.kind) {
    case Condition::Kind::kTrue:
      iterations = {{0, Interval::kMax}};
      return true;
    case Condition::Kind::kFalse:
      iterations.clear();
      return true;
    case Condition::Kind::kUnknown:
      return false;
    case Condition::Kind::kAtLeastZero: {
      if (!OnlyVariesWith(condition.form, loop)) return false;
      const int64_t step = LoopCoefficient(condition.form, loop);
      const int64_t start = condition.form.constant;
      iterations.clear();
      if (step == 0) {
        if (start >= 0) iterations = {{0, Interval::kMax}};
      } else if (step > 0) {
        iterations = {{start >= 0 ? 0 : -FloorDivide(start, step), Interval::kMax}};
      } else if (start >= 0) {
        iterations = {{0, start / -step}};
      }
      return true;
    }
    case Condition::Kind::kAnd:
    case Condition::Kind::kOr: {
      bool first = true;
      for (const ConditionPtr& child : condition.children) {
        Intervals part;
        if (!Iterations(*child, loop, part)) return false;
        if (first) {
          iterations = part;
        } else {
          iterations = condition.kind == Condition::Kind::kAnd ? Intersection(iterations, part)
                                                               : Union(iterations, part);
        }
        first = false;
      }
      return true;
    }
  }
  return false;
}

bool Same(const TripCount& a, const TripCount& b) {
  return a.uniform == b.uniform && a.bounded == b.bounded && a.count == b.count &&
         a.again == b.again;
}

TripCount UnknownTrips(std::string reason) {
  TripCount trips;
  trips.reason = std::move(reason);
  return trips;
}

}  // namespace

const TripCount& ValueAnalysis::TripsOf(uint32_t loop) {
  LoopMemo& memo = loops_[loop];
  if (memo.state != State::kNew) return memo.trips;
  memo.state = State::kRunning;
  memo.trips = UnknownTrips("a trip count that depends on itself");
  const size_t mark = trail_.size();
  const uint32_t supposed_around = supposing_;
  ++supposing_;
  ranges_.counters[loop] = {0, Interval::kMax};
  const TripCount supposed = SolveTripCount(loop);
  supposing_ = supposed_around;
  const bool provisional = supposing_ > kMostSuppositions;
  if (!provisional) ForgetSince(mark);
  memo.trips = supposed;
  memo.state = State::kDone;
  if (supposed.uniform || supposed.bounded) {
    ranges_.counters[loop] = {0, static_cast<int64_t>(supposed.count) - 1};
    if (!provisional && !Same(SolveTripCount(loop), supposed)) {
      ForgetSince(mark);
      ranges_.counters[loop] = {0, Interval::kMax};
      memo.trips = UnknownTrips(
          UnknownAt(kernel_->instructions[flow_->blocks()[forest_->loops()[loop].header].begin],
                    "a loop counter may wrap around")
              .reason);
    }
  }
  trail_.emplace_back(Kind::kLoop, loop);
  return memo.trips;
}

void ValueAnalysis::ForgetSince(size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const auto [kind, index] = trail_.back();
    if (kind == Kind::kValue) values_[index] = {};
    if (kind == Kind::kBlock) blocks_[index] = {};
    if (kind == Kind::kLoop) {
      loops_[index] = {};
      ranges_.counters[index] = {0, Interval::kMax};
    }
  }
}

std::vector<ConditionPtr> ValueAnalysis::LiveExits(uint32_t loop, std::string& problem) {
  const NaturalLoop& around = forest_->loops()[loop];
  std::vector<ConditionPtr> exits;
  const auto add = [&](ptx::BlockId block, const ConditionPtr& leaves) {
    if (leaves->kind == Condition::Kind::kFalse) return;
    const ptx::Instruction& at = kernel_->instructions[flow_->blocks()[block].end - 1];
    if (leaves->kind == Condition::Kind::kUnknown) problem = leaves->reason;
    const bool each_turn =
        forest_->InnermostOf(block) == loop &&
        std::all_of(around.latches.begin(), around.latches.end(),
                    [&](ptx::BlockId latch) { return flow_->Dominates(block, latch); });
    if (!each_turn) problem = UnknownAt(at, "an exit from within the loop").reason;
    exits.push_back(leaves);
  };
  for (const ptx::BlockId block : forest_->order()) {
    if (!around.contains[block]) continue;
    const uint32_t last = flow_->blocks()[block].end - 1;
    if (EndsThread(last) && kernel_->instructions[last].guard) add(block, GuardCondition(last));
    for (const ptx::BlockId next : flow_->blocks()[block].successors) {
      if (!around.contains[next]) add(block, EdgeCondition(block, next));
    }
  }
  return exits;
}

TripCount ValueAnalysis::SolveTripCount(uint32_t loop) {
  std::string problem;
  const std::vector<ConditionPtr> exits = LiveExits(loop, problem);
  if (!problem.empty()) return UnknownTrips(problem);
  const ptx::BasicBlock& header = flow_->blocks()[forest_->loops()[loop].header];
  const ptx::Instruction& at = kernel_->instructions[header.begin];
  if (exits.empty()) return UnknownTrips(UnknownAt(at, "a loop without an exit").reason);
  int64_t last = Interval::kMax;
  const Condition* varying = nullptr;  // the exit that depends on more than the counter
  for (const ConditionPtr& leaves : exits) {
    Intervals iterations;
    if (Iterations(*leaves, loop, iterations)) {
      if (!iterations.empty()) last = std::min(last, iterations.front().low);
    } else if (varying == nullptr) {
      varying = leaves.get();
    } else {
      return UnknownTrips(UnknownAt(at, "a loop with several exits").reason);
    }
  }
  if (varying != nullptr) {
    TripCount trips = SolveVaryingTripCount(loop, *varying);
    if (last < kMaxTrips) trips.count = std::min(trips.count, static_cast<uint64_t>(last) + 1);
    return trips;
  }
  if (last >= kMaxTrips) {
    return UnknownTrips(UnknownAt(at, "a loop whose exit is never met").reason);
  }
  TripCount trips;
  trips.uniform = true;
  trips.count = static_cast<uint64_t>(last) + 1;
  return trips;
}

// One exit whose condition depends on ids or outer counters: the loop goes on while one affine form
// that falls with each turn is >= 0.
TripCount ValueAnalysis::SolveVaryingTripCount(uint32_t loop, const Condition& leaves) {
  const ptx::BlockId header = forest_->loops()[loop].header;
  const ptx::Instruction& at = kernel_->instructions[flow_->blocks()[header].begin];
  TripCount unknown = UnknownTrips(UnknownAt(at, "a loop whose trip count varies").reason);
  const std::vector<Guard> entry = Flatten(Reached(header), ranges_).atoms;
  const auto at_entry = [&](AffineForm form) {
    SetLoopCoefficient(form, loop, 0);
    return ranges_.Of(form, entry);
  };
  AffineForm again = Constant(-1);
  if (leaves.kind == Condition::Kind::kAtLeastZero) {
    if (!AddScaled(again, leaves.form, -1)) return unknown;
  } else if (leaves.kind == Condition::Kind::kAnd && leaves.children.size() == 2 &&
             leaves.children[0]->kind == Condition::Kind::kAtLeastZero &&
             leaves.children[1]->kind == Condition::Kind::kAtLeastZero) {
    // Leaves where form == 0, coming from its positive side one by one.
    const AffineForm& a = leaves.children[0]->form;
    const AffineForm& b = leaves.children[1]->form;
    AffineForm sum = a;
    if (!AddScaled(sum, b, 1) || !(sum == AffineForm{})) return unknown;
    const AffineForm& falling = LoopCoefficient(a, loop) == -1 ? a : b;
    if (LoopCoefficient(falling, loop) != -1 || at_entry(falling).low < 0 ||
        !AddScaled(again, falling, 1)) {
      return unknown;
    }
  } else {
    return unknown;
  }
  const int64_t step = LoopCoefficient(again, loop);
  const int64_t most = at_entry(again).high;
  if (step >= 0 || most >= kMaxTrips) return unknown;
  TripCount trips;
  trips.bounded = true;
  trips.count = most < 0 ? 1 : static_cast<uint64_t>(most / -step) + 2;
  trips.again = std::move(again);
  return trips;
}

}  // namespace flagstone
