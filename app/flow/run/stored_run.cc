#include "app/flow/run/stored_run.h"

#include <utility>

#include "app/flow/run/perturbation.h"
#include "app/flow/run/result_key.h"
#include "app/flow/run/run.h"
#include "app/results/perturbed_json.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "kernels/launch/workload.h"
#include "systemc/block_bodies.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

// Findings name the PTX file by its path.
bool IsOfThisPlace(const StoredResult& result, const Workload& workload) {
  return result.record["findings"].empty() || result.workload == workload.path.string();
}

// As a run with these options would have made it, but for `host` and `command`.
Json Restated(Json record, const RunOptions& options, const std::string& version) {
  record["version"] = version;
  if (options.functional || record["blocks"].empty()) return record;
  record["engine"] = ToString(options.engine);
  record["blocks"] = Json::array();
  for (const BlockBody& block : BodiesOf(options)) {
    record["blocks"].push_back({{"path", block.path}, {"body", block.body}});
  }
  return record;
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
  for (size_t i = 0; i < options.perturb; ++i) {
    records.push_back(RunThroughStore(Perturbed(options, i), workload, order, use, version).record);
    if (records.back()["interrupted"].get<bool>()) return records.back();
    const auto instructions = records.back()["totals"]["warp_instructions"].get<uint64_t>();
    if (options.perturb_up_to != 0 && instructions > options.perturb_up_to) return records.back();
    records.back()["setting"] = PerturbationName(i);
  }
  return WithSettings(std::move(records));
}

}  // namespace

StoredRun RunThroughStore(const RunOptions& options, const StoreUse& use,
                          const std::string& version, const std::string& command) {
  const Workload workload =
      Workload::Load(FindWorkload(options.workload), options.size, options.files);
  StoredRun run = RunThroughStore(options, workload, {}, use, version);
  run.record["command"] = command;
  return run;
}

StoredRun RunThroughStore(const RunOptions& options, const Workload& workload,
                          const NamedOrder& order, const StoreUse& use,
                          const std::string& version) {
  const auto compute = [&] {
    if (options.perturb != 0) return UnderSettings(options, workload, order, use, version);
    return ToJson(RunWorkload(options, workload, order.of_launch), version, "", options.detail);
  };
  if (use.store == nullptr || !IsStorable(options)) return {compute(), false};
  const std::string name =
      ResultName(ResultIdentity(options, workload.input_hash) + order.identity);
  if (!use.fresh) {
    std::optional<StoredResult> found = use.store->Get(name);
    if (found && IsOfThisPlace(*found, workload)) {
      return {Restated(std::move(found->record), options, version), true};
    }
  }
  StoredRun run = {compute(), false};
  KeepResult(name, workload, run.record, version, use);
  return run;
}

}  // namespace flagstone
