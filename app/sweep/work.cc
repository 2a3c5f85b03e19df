#include "app/sweep/work.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "app/flow/run/stored_run.h"
#include "app/flow/run/worker_pool.h"
#include "base/error.h"

namespace flagstone {
namespace {

constexpr const char* kNotKept = "not_kept";

// In a process of its own: computes the point and keeps the result. The reply is small.
Json RunPoint(const SweepPlan& plan, const ResultStore& store, size_t index, bool fresh) {
  Json reply = Json::object();
  const auto say = [&](const std::string& line) { reply[kNotKept] = line; };
  RunThroughStore(plan.OptionsOf(index), {&store, fresh, /*any_engine=*/false, say},
                  plan.common.version, "");
  return reply;
}

}  // namespace

std::vector<PointToRun> OpenPoints(const SweepState& state, uint32_t retries) {
  std::vector<PointToRun> points;
  for (const uint64_t index : state.Open(retries)) {
    const PointFailure* failure = state.FailureOf(index);
    points.push_back({index, failure == nullptr ? 0 : failure->attempts});
  }
  return points;
}

void RunPoints(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
               const std::vector<PointToRun>& points, const SweepWork& work) {
  size_t started = 0;
  size_t ended = 0;
  std::deque<PointToRun> again;
  std::unordered_map<size_t, uint32_t> running;  // points that run, and their failed attempts
  std::string not_kept;
  const auto next = [&]() -> std::optional<size_t> {
    if (!not_kept.empty()) return std::nullopt;
    PointToRun point;
    if (!again.empty()) {
      point = again.front();
      again.pop_front();
    } else if (started < points.size()) {
      point = points[started++];
    } else {
      return std::nullopt;
    }
    running[point.index] = point.attempts;
    return point.index;
  };
  const auto finished = [&](size_t index, const WorkerOutcome& outcome) {
    const uint32_t attempts = running[index] + 1;
    running.erase(index);
    if (outcome.result.is_object()) {
      if (outcome.result.contains(kNotKept)) {
        not_kept = outcome.result[kNotKept];
        return;
      }
      if (attempts > 1) state.DropFailure(index);
    } else {
      const PointFailure failure = {outcome.exit_code, outcome.message, outcome.died, attempts};
      state.PutFailure(index, failure);
      if (attempts < AttemptsOf(failure, work.retries)) {
        again.push_back({index, attempts});
        return;
      }
    }
    if (work.progress) work.progress(++ended);
  };
  StreamWorkers(
      work.jobs, next, [&](size_t i) { return RunPoint(plan, store, i, work.fresh); }, finished);
  if (!not_kept.empty()) ThrowInternal("{}", not_kept);
}

}  // namespace flagstone
