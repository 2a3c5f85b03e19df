// Results as JSON (schemas flagstone.run/1 and flagstone.analyze/1: docs/results.md). A new key
// keeps a schema's number, a changed meaning raises it; every key is always there, null where a
// value is undefined.
#ifndef FLAGSTONE_FLOW_JSON_H_
#define FLAGSTONE_FLOW_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flow/analyze.h"
#include "flow/policy_table.h"
#include "flow/run.h"

namespace flagstone {

// Keys keep the order in which they were put in.
using Json = nlohmann::ordered_json;

// `version` and `command` say what made the result.
Json ToJson(const RunResult& result, const std::string& version, const std::string& command);

struct AnalyzedLaunch {
  const KernelLaunch* launch = nullptr;
  LaunchAnalysis analysis;
  std::vector<PolicyFigures> policies;  // side by side; empty unless several were asked for
};
Json ToJson(const AnalyzedLaunch& analyzed);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_JSON_H_
