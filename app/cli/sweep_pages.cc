#include "app/cli/sweep_pages.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "app/cli/table.h"
#include "app/sweep/estimate.h"
#include "base/numbers.h"

namespace flagstone {
namespace {

constexpr size_t kShownPoints = 20;

std::string Duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// "left: 12 min on one processor, by earlier results"
std::string TimeLeft(const SweepState& state, const TimeEstimate& estimate) {
  double seconds = 0;
  uint64_t unknown = 0;
  uint64_t open = 0;
  for (const uint64_t index : state.Open(0)) {
    ++open;
    const std::optional<double> of_point = estimate.SecondsOf(index);
    seconds += of_point.value_or(0);
    if (!of_point) ++unknown;
  }
  if (open == 0) return "";
  if (unknown == open) return "left: unknown, as no point is done\n";
  return fmt::format("left: {} on one processor, by earlier results\n", Duration(seconds));
}

const char* StatusOf(const SweepState& state, size_t index) {
  if (state.IsDone(index)) return "done";
  return state.FailureOf(index) != nullptr ? "failed" : "open";
}

}  // namespace

std::string SweepPlanPage(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
                          bool all) {
  const TimeEstimate estimate(plan, state, store);
  Table table;
  for (const SweepDimension& dimension : plan.space.dimensions) {
    table.AddColumn(dimension.key, Table::Align::kLeft);
  }
  table.AddColumn("seconds", Table::Align::kRight);
  table.AddColumn("status", Table::Align::kLeft);
  const size_t shown = all ? state.size() : std::min(state.size(), kShownPoints);
  for (size_t i = 0; i < shown; ++i) {
    const SweepPlaces places = plan.PlacesOf(i);
    std::vector<std::string> cells;
    for (size_t d = 0; d < places.size(); ++d) {
      cells.push_back(plan.space.dimensions[d].values[places[d]]);
    }
    const std::optional<double> seconds = estimate.SecondsOf(i);
    cells.push_back(seconds ? fmt::format("{:.2f}", *seconds) : "-");
    cells.emplace_back(StatusOf(state, i));
    table.AddRow(std::move(cells));
  }
  std::string text = plan.description + "\n" + table.ToString();
  if (shown < state.size()) {
    text += fmt::format("and {} more: --all lists them\n", Grouped(state.size() - shown));
  }
  return text + SweepStatusPage(plan, state, store);
}

std::string SweepStatusPage(const SweepPlan& plan, const SweepState& state,
                            const ResultStore& store) {
  const SweepState::Counts counts = state.Count();
  std::string text =
      fmt::format("{}: {} points: {} done, {} failed, {} open\n", plan.name, Grouped(state.size()),
                  Grouped(counts.done), Grouped(counts.failed), Grouped(counts.open));
  std::map<std::string, uint64_t> messages;
  for (size_t i = 0; counts.failed != 0 && i < state.size(); ++i) {
    if (const PointFailure* failure = state.FailureOf(i)) ++messages[failure->message];
  }
  size_t shown = 0;
  for (const auto& [message, times] : messages) {
    if (++shown > kShownPoints) break;
    text += fmt::format("failed: {} ({} points)\n", message, Grouped(times));
  }
  if (messages.size() > kShownPoints) {
    text += fmt::format("and {} more messages: 'flagstone sweep collect' has all\n",
                        Grouped(messages.size() - kShownPoints));
  }
  if (counts.open != 0) text += TimeLeft(state, TimeEstimate(plan, state, store));
  return text;
}

}  // namespace flagstone
