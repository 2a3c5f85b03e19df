#include "flow/stored_run.h"

#include <utility>

#include "base/error.h"
#include "flow/result_key.h"
#include "flow/run.h"
#include "launch/workload.h"
#include "store/results_id.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

// Findings name the PTX file by its path.
bool IsOfThisPlace(const StoredResult& result, const Workload& workload) {
  return result.record["findings"].empty() || result.workload == workload.path.string();
}

// As a run with these options would have made it, but for `host`.
Json Restated(Json record, const RunOptions& options, const std::string& version,
              const std::string& command) {
  record["version"] = version;
  record["command"] = command;
  if (options.functional || record["blocks"].empty()) return record;
  record["engine"] = ToString(options.engine);
  record["blocks"] = Json::array();
  for (const BlockBody& block : BodiesOf(options)) {
    record["blocks"].push_back({{"path", block.path}, {"body", block.body}});
  }
  return record;
}

}  // namespace

StoredRun RunThroughStore(const RunOptions& options, const StoreUse& use,
                          const std::string& version, const std::string& command) {
  if (use.store == nullptr || !IsStorable(options)) {
    return {ToJson(RunWorkload(options), version, command, options.detail), false};
  }
  const Workload workload =
      Workload::Load(FindWorkload(options.workload), options.size, options.files);
  const std::string name = ResultName(ResultIdentity(options, workload.input_hash));
  if (!use.fresh) {
    std::optional<StoredResult> found = use.store->Get(name);
    if (found && IsOfThisPlace(*found, workload)) {
      return {Restated(std::move(found->record), options, version, command), true};
    }
  }
  StoredRun run = {ToJson(RunWorkload(options, workload), version, "", options.detail), false};
  if (!run.record["interrupted"].get<bool>()) {
    try {
      use.store->Put(name, {std::string(ResultsId()), version, workload.path.string(), run.record});
    } catch (const Error& error) {
      use.say(fmt::format("results are not kept: {}", error.what()));
    }
  }
  run.record["command"] = command;
  return run;
}

}  // namespace flagstone
