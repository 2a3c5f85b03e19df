#include "app/cli/stored_runs.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/version.h"

namespace flagstone {

std::vector<WorkerOutcome> RunStored(
    size_t count, size_t jobs, const StoreOptions& options,
    const std::function<StoredRun(size_t index, const StoreUse& use)>& work,
    const std::function<void(size_t done)>& finished) {
  const OpenedStore store(options);
  const auto with_lines = [&](size_t i) -> Json {
    Json lines = Json::array();
    const StoreUse use = store.Use([&](const std::string& line) { lines.push_back(line); });
    Json record = work(i, use).record;
    return {{"record", std::move(record)}, {"lines", std::move(lines)}};
  };
  std::vector<WorkerOutcome> outcomes = RunWorkers(count, jobs, with_lines, finished);
  std::set<std::string> said;
  for (WorkerOutcome& outcome : outcomes) {
    if (!outcome.result.is_object()) continue;
    for (const Json& line : outcome.result["lines"]) said.insert(line);
    Json record = std::move(outcome.result["record"]);
    outcome.result = std::move(record);
  }
  for (const std::string& line : said) Warn(line);
  return outcomes;
}

std::vector<WorkerOutcome> RunStored(size_t count, size_t jobs, const StoreOptions& options,
                                     const std::function<const RunOptions&(size_t)>& run,
                                     const std::function<void(size_t done)>& finished) {
  const auto work = [&](size_t i, const StoreUse& use) {
    return RunThroughStore(run(i), use, Version(), CommandLine());
  };
  return RunStored(count, jobs, options, work, finished);
}

std::string EngineLine(const std::vector<WorkerOutcome>& outcomes) {
  std::set<std::string> engines;
  size_t all = 0, stored = 0;
  for (const WorkerOutcome& outcome : outcomes) {
    if (!outcome.result.is_object()) continue;
    engines.insert(outcome.result["engine"]);
    ++all;
    if (outcome.result["from_store"].get<bool>()) ++stored;
  }
  if (all == 0) return "";
  return fmt::format(
      "engine {}{}\n", fmt::join(engines, ", "),
      stored == 0 ? "" : fmt::format("; {} of {} results are from the store", stored, all));
}

void WarnOfSizes(const std::vector<WorkerOutcome>& outcomes, bool without_sizes) {
  std::set<std::string> seen;
  for (const WorkerOutcome& outcome : outcomes) {
    if (!outcome.result.is_object()) continue;
    if (!without_sizes && outcome.result["size"].is_null()) continue;
    if (seen.insert(outcome.result["workload"]).second) WarnOfSize(outcome.result);
  }
}

}  // namespace flagstone
