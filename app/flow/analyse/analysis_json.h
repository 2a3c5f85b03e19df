// An analysed launch as JSON (schema flagstone.analyze/1: docs/results.md), by the rules of
// app/results/run_json.h.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_ANALYSIS_JSON_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_ANALYSIS_JSON_H_

#include <vector>

#include "app/flow/analyse/analyze.h"
#include "app/flow/analyse/policy_table.h"
#include "app/results/run_json.h"

namespace flagstone {

struct AnalyzedLaunch {
  const KernelLaunch* launch = nullptr;
  LaunchAnalysis analysis;
  std::vector<PolicyFigures> policies;  // side by side; empty unless several were asked for
};
// With `detail`, the keys that grow with the launch are there too (app/flow/analyse/json_detail.h).
Json ToJson(const AnalyzedLaunch& analyzed, bool detail = false);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_ANALYSIS_JSON_H_
