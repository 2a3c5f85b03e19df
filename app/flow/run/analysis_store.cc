#include "app/flow/run/analysis_store.h"

#include <fmt/core.h>

#include <exception>
#include <utility>

#include "app/flow/run/result_key.h"
#include "app/results/analysis_json.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "base/hash.h"

namespace flagstone {
namespace {

Json ToJson(const StoredFindings& found) {
  const LaunchFindings& findings = found.findings;
  return {{"summary", ToJson(std::optional(findings.summary))},
          {"groups", findings.groups.groups},
          {"steal", findings.groups.steal_enable},
          {"direction", findings.direction ? Json(static_cast<int>(*findings.direction)) : Json()},
          {"seconds", found.seconds}};
}

StoredFindings FindingsOf(const Json& json) {
  StoredFindings found;
  found.findings.summary = AnalysisSummaryOf(json.at("summary"));
  found.findings.groups.groups = json.at("groups");
  found.findings.groups.steal_enable = json.at("steal");
  if (const Json& direction = json.at("direction"); !direction.is_null()) {
    found.findings.direction = static_cast<CtaDirection>(direction.get<int>());
  }
  found.seconds = json.at("seconds");
  return found;
}

}  // namespace

ResultStore AnalysisStore::Beside(const ResultStore& results) {
  return {results.folder() / "analyses", results.say()};
}

AnalysisStore::AnalysisStore(const ResultStore& results, const RunOptions& options,
                             const Policy& policy, uint64_t input_hash)
    : store_(Beside(results)),
      version_(options.version),
      workload_(options.workload),
      identity_(fmt::format("analysis of code {}\nworkload {:016x} {}\n{}policy {}\nseed {}\n"
                            "known data {}\nlimit {}\nL1 fills {}\n",
                            ResultsId(), input_hash, options.size, options.machine.Canonical(),
                            policy.name, options.seed, options.known_data, options.max_instructions,
                            options.l1_fills)),
      known_data_(options.known_data),
      least_seconds_(options.least_analysis_seconds) {}

std::string AnalysisStore::NameOf(const KernelLaunch& launch, const DeviceMemory& memory) const {
  std::string identity =
      fmt::format("{}entry {} of {}\n", identity_, launch.kernel->name, launch.module->file);
  identity += AnalysisMemo::ShapeOf(launch, memory);
  if (known_data_) {
    Fnv1a128 hash;
    for (const DeviceMemory::Region& region : memory.regions()) {
      if (region.size == 0) continue;
      hash.AddWords({reinterpret_cast<const char*>(memory.At(region.address)), region.size});
    }
    identity += fmt::format("data {:016x}{:016x}\n", hash.High(), hash.Low());
  }
  return ResultName(identity);
}

std::optional<StoredFindings> AnalysisStore::Get(const std::string& name) const {
  const std::optional<StoredResult> stored = store_.Get(name);
  if (!stored) return std::nullopt;
  try {
    return FindingsOf(stored->record);
  } catch (const std::exception& error) {
    store_.say()(fmt::format("the stored analysis '{}' is none ({}): it is set aside as '{}'",
                             store_.PathOf(name).string(), error.what(), store_.SetAside(name)));
    return std::nullopt;
  }
}

void AnalysisStore::Put(const std::string& name, const StoredFindings& found) const {
  if (found.seconds < least_seconds_) return;
  try {
    store_.Put(name, {std::string(ResultsId()), version_, workload_, ToJson(found)});
  } catch (const Error&) {
  }
}

}  // namespace flagstone
