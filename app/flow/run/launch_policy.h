// What the policy of a run does to a launch before it is simulated: it analyses the launch, and
// gives its request the TB scheduler with its groups or registers, or where TBs and pages go.
#ifndef FLAGSTONE_APP_FLOW_RUN_LAUNCH_POLICY_H_
#define FLAGSTONE_APP_FLOW_RUN_LAUNCH_POLICY_H_

#include <optional>

#include "app/flow/run/analysis_memo.h"
#include "app/flow/run/analysis_store.h"
#include "app/flow/run/run_options.h"
#include "app/policy/policy.h"
#include "app/results/launch_record.h"
#include "app/results/run_record.h"
#include "systemc/simulation.h"

namespace flagstone {

// What is known of the launches of a run: by its own analyses, and by those of earlier runs where
// there is a store.
struct KnownAnalyses {
  AnalysisMemo memo;
  std::optional<AnalysisStore> store;
};

// The request has its launch, memory and place in the run; options and policy must outlive it. Adds
// to `host` what the analysis took. The summary is there where the policy goes by one.
std::optional<AnalysisSummary> ApplyPolicy(const RunOptions& options, const Policy& policy,
                                           KnownAnalyses* known, LaunchRequest* request,
                                           RunRecord::Host* host);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_LAUNCH_POLICY_H_
