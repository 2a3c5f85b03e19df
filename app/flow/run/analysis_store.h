// What the analyses of launches have found, kept for later runs in a folder of the store of
// results.
#ifndef FLAGSTONE_APP_FLOW_RUN_ANALYSIS_STORE_H_
#define FLAGSTONE_APP_FLOW_RUN_ANALYSIS_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "app/flow/run/analysis_memo.h"
#include "app/flow/run/run_options.h"
#include "app/policy/policy.h"
#include "app/results/result_store.h"

namespace flagstone {

struct StoredFindings {
  LaunchFindings findings;
  double seconds = 0;  // that the analysis took when it was made
};

// Of one run: its build, workload, machine, policy and the options that an analysis goes by.
class AnalysisStore {
 public:
  // The folder of analyses beside these results.
  static ResultStore Beside(const ResultStore& results);

  // `input_hash` is the workload's. There is no store for policies that take a file.
  AnalysisStore(const ResultStore& results, const RunOptions& options, const Policy& policy,
                uint64_t input_hash);

  // The name of a launch's findings: with `known_data` also of all that device memory holds.
  std::string NameOf(const KernelLaunch& launch, const DeviceMemory& memory) const;
  std::optional<StoredFindings> Get(const std::string& name) const;
  // Quicker analyses than the options' least_analysis_seconds are not kept. Where one cannot be,
  // nothing is lost but time: of results, which matter, it is said.
  void Put(const std::string& name, const StoredFindings& found) const;

 private:
  ResultStore store_;
  std::string version_, workload_, identity_;
  bool known_data_;
  double least_seconds_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_ANALYSIS_STORE_H_
