#include "app/sweep/estimate.h"

#include <string>

namespace flagstone {

TimeEstimate::TimeEstimate(const SweepPlan& plan, const SweepState& state, const ResultStore& store)
    : plan_(plan), by_workload_(plan.workloads.size()) {
  constexpr size_t kRead = 16;
  std::vector<std::vector<size_t>> done(plan.workloads.size());
  for (size_t i = 0; i < state.size(); ++i) {
    if (state.IsDone(i)) done[plan.PlacesOf(i)[1]].push_back(i);
  }
  double sum = 0;
  size_t count = 0;
  for (size_t w = 0; w < done.size(); ++w) {
    double of_workload = 0;
    size_t read = 0;
    const size_t step = done[w].size() / kRead + 1;
    for (size_t i = 0; i < done[w].size(); i += step) {
      const auto result = store.Get(state.NameOf(done[w][i]).ToText());
      if (!result) continue;
      of_workload += result->record["host"]["seconds"].get<double>();
      ++read;
    }
    if (read == 0) continue;
    by_workload_[w] = of_workload / static_cast<double>(read);
    sum += *by_workload_[w];
    ++count;
  }
  if (count != 0) mean_ = sum / static_cast<double>(count);
}

std::optional<double> TimeEstimate::SecondsOf(size_t index) const {
  const auto& own = by_workload_[plan_.PlacesOf(index)[1]];
  return own ? own : mean_;
}

}  // namespace flagstone
