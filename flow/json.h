// An analysed launch as JSON (schema flagstone.analyze/1: docs/results.md), by the rules of
// record/json.h.
#ifndef FLAGSTONE_FLOW_JSON_H_
#define FLAGSTONE_FLOW_JSON_H_

#include <vector>

#include "flow/analyze.h"
#include "flow/policy_table.h"
#include "record/json.h"

namespace flagstone {

struct AnalyzedLaunch {
  const KernelLaunch* launch = nullptr;
  LaunchAnalysis analysis;
  std::vector<PolicyFigures> policies;  // side by side; empty unless several were asked for
};
// With `detail`, the keys that grow with the launch are there too (flow/json_detail.h).
Json ToJson(const AnalyzedLaunch& analyzed, bool detail = false);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_H_
