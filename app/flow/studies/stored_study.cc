#include "app/flow/studies/stored_study.h"

#include <optional>
#include <utility>

#include "app/flow/run/result_key.h"
#include "kernels/launch/workload.h"

namespace flagstone {

StoredRun RunThroughStore(const LoadStudy& study, size_t run, const StoreUse& use,
                          const std::string& version) {
  const RunOptions& options = study.runs[run];
  const Workload workload = LoadWorkload(options);
  if (use.store == nullptr || options.engine == Engine::kLockstep) {
    return {RunLoadStudy(study, run, workload), false};
  }
  const std::string name = ResultName(LoadStudyIdentity(study, run, workload.input_hash));
  if (!use.fresh) {
    if (std::optional<StoredResult> found = use.store->Get(name)) {
      // The name that this study has for the workload.
      for (Json& row : found->record["rows"]) row["workload"] = options.workload;
      return {std::move(found->record), true};
    }
  }
  StoredRun result = {RunLoadStudy(study, run, workload), false};
  KeepResult(name, workload, result.record, version, use);
  return result;
}

}  // namespace flagstone
