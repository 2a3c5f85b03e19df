#include "app/flow/run/stored_run.h"

#include <fmt/format.h>

#include <utility>

#include "app/flow/run/perturbation.h"
#include "app/flow/run/result_key.h"
#include "app/flow/run/run.h"
#include "app/flow/run/run_head.h"
#include "app/results/perturbed_json.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

// Findings name the PTX file by its path.
bool IsOfThisPlace(const StoredResult& result, const Workload& workload) {
  return result.record["findings"].empty() || result.workload == workload.path.string();
}

// The key in which a record is of another run than the one that was asked for; empty for none.
std::string OtherThanAsked(const StoredResult& found, const RunOptions& options,
                           const Workload& workload) {
  RunRecord asked = BeginRecord(options, workload.name, workload.input_hash);
  asked.size = workload.size;
  const Json json = ToJson(asked, "", "");
  for (const char* key : {"workload", "input_hash", "size", "asked_size", "machine", "config_hash",
                          "policy", "warp_scheduler", "prefetcher", "seed", "values"}) {
    if (found.record.value(key, Json()) != json[key]) return key;
  }
  return found.code == ResultsId() ? "" : "code";
}

// What the store has under a name. What is there and belongs to another run is set aside.
std::optional<Json> Find(const std::string& name, const RunOptions& options,
                         const Workload& workload, const StoreUse& use,
                         const std::string& version) {
  std::optional<StoredResult> found = use.store->Get(name);
  if (!found) return std::nullopt;
  const std::string other = OtherThanAsked(*found, options, workload);
  if (!other.empty()) {
    use.say(
        fmt::format("the stored result '{}' is of another run ({} differs): it is set aside as "
                    "'{}', and computed again",
                    use.store->PathOf(name).string(), other, use.store->SetAside(name)));
    return std::nullopt;
  }
  if (!IsOfThisPlace(*found, workload)) return std::nullopt;
  found->record["version"] = version;
  found->record["from_store"] = true;
  return std::move(found->record);
}

// The same run on the other of RTL and models, where both are known to agree.
std::optional<RunOptions> OnOtherEngine(const RunOptions& options) {
  if (options.functional || !RtlDifference().empty()) return std::nullopt;
  RunOptions other = options;
  other.engine = options.engine == Engine::kRtl ? Engine::kModel : Engine::kRtl;
  return other;
}

}  // namespace

void KeepResult(const std::string& name, const Workload& workload, const Json& record,
                const std::string& version, const StoreUse& use) {
  if (record["interrupted"].get<bool>()) return;
  try {
    use.store->Put(name, {std::string(ResultsId()), version, workload.path.string(), record});
  } catch (const Error& error) {
    use.say(fmt::format("results are not kept: {}", error.what()));
  }
}

namespace {

// The run as it is, with the figures of its other settings beside it; each is a run that the store
// may know.
Json UnderSettings(const RunOptions& options, const Workload& workload, const NamedOrder& order,
                   const StoreUse& use, const std::string& version) {
  RequirePerturbable(options);
  std::vector<Json> records;
  bool stored = true;
  for (size_t i = 0; i < options.perturb; ++i) {
    records.push_back(RunThroughStore(Perturbed(options, i), workload, order, use, version).record);
    if (records.back()["interrupted"].get<bool>()) return records.back();
    const auto instructions = records.back()["totals"]["warp_instructions"].get<uint64_t>();
    if (options.perturb_up_to != 0 && instructions > options.perturb_up_to) return records.back();
    records.back()["setting"] = PerturbationName(i);
    stored = stored && records.back()["from_store"].get<bool>();
  }
  Json record = WithSettings(std::move(records));
  record["from_store"] = stored;
  return record;
}

}  // namespace

StoredRun RunThroughStore(const RunOptions& options, const StoreUse& use,
                          const std::string& version, const std::string& command) {
  const Workload workload = LoadWorkload(options, PurposeOf(options));
  StoredRun run = RunThroughStore(options, workload, {}, use, version);
  run.record["command"] = command;
  return run;
}

StoredRun RunThroughStore(const RunOptions& options, const Workload& workload,
                          const NamedOrder& order, const StoreUse& use,
                          const std::string& version) {
  const auto compute = [&] {
    if (options.perturb != 0) return UnderSettings(options, workload, order, use, version);
    RunOptions run = options;
    if (!use.fresh) run.analyses = use.store;
    return ToJson(RunWorkload(run, workload, order.of_launch), version, "", options.detail);
  };
  if (use.store == nullptr || !IsStorable(options)) return {compute(), false};
  const auto name_of = [&](const RunOptions& run) {
    return ResultName(ResultIdentity(run, workload.input_hash) + order.identity);
  };
  const std::string name = name_of(options);
  if (!use.fresh) {
    std::optional<Json> found = Find(name, options, workload, use, version);
    if (!found && use.any_engine) {
      if (const std::optional<RunOptions> other = OnOtherEngine(options)) {
        found = Find(name_of(*other), *other, workload, use, version);
      }
    }
    if (found) return {std::move(*found), true};
  }
  StoredRun run = {compute(), false};
  KeepResult(name, workload, run.record, version, use);
  return run;
}

}  // namespace flagstone
