#include "app/sweep/batches.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace flagstone {

size_t WriteBatches(const SweepState& state, const std::vector<PointToRun>& points,
                    const TimeEstimate& estimate, const BatchLimits& limits,
                    const std::filesystem::path& folder) {
  constexpr double kBatchesOfAJob = 4;  // so that all end at about the same time
  const auto seconds_of = [&](size_t index) { return estimate.SecondsOf(index).value_or(1); };
  double total = 0;
  for (const PointToRun& point : points) total += seconds_of(point.index);
  double seconds =
      std::min(limits.seconds, total / (kBatchesOfAJob * static_cast<double>(limits.jobs)));
  // The last point of a batch may exceed it, which makes fewer batches.
  seconds = std::max(seconds, total / static_cast<double>(limits.most));
  size_t batches = 0;
  for (size_t next = 0; next < points.size(); ++batches) {
    std::string text = state.stamp() + "\n";
    for (double sum = 0; next < points.size() && sum < seconds; ++next) {
      text += fmt::format("{} {}\n", points[next].index, points[next].attempts);
      sum += seconds_of(points[next].index);
    }
    WriteDurably(folder / fmt::format("{}", batches), text, folder);
  }
  return batches;
}

std::vector<PointToRun> ReadBatch(const SweepState& state, const std::filesystem::path& file) {
  std::istringstream text(ReadFile(file));
  std::string stamp;
  std::getline(text, stamp);
  if (stamp != state.stamp()) {
    ThrowBadInput(
        "'{}' is of another plan, or of another build of flagstone: start 'flagstone "
        "sweep run' again",
        file.string());
  }
  std::vector<PointToRun> points;
  for (PointToRun point; text >> point.index >> point.attempts;) {
    if (point.index < state.size()) points.push_back(point);
  }
  return points;
}

}  // namespace flagstone
