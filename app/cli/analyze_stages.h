// The stages of the analysis that `flagstone analyze --dump` prints whole.
#ifndef FLAGSTONE_APP_CLI_ANALYZE_STAGES_H_
#define FLAGSTONE_APP_CLI_ANALYZE_STAGES_H_

#include <functional>
#include <string>

#include "app/flow/analyse/analysis_json.h"
#include "app/flow/analyse/analyze.h"

namespace flagstone {

struct AnalyzeStage {
  const char* name;
  AnalysisRequest::Depth depth;  // that it needs
  bool other_analyses;
  std::function<std::string(const AnalyzedLaunch&, size_t number)> dump;
};

// Throws kBadInput, with what is known, for any other name.
const AnalyzeStage& FindAnalyzeStage(const std::string& name);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_ANALYZE_STAGES_H_
