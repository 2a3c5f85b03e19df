// Where the time of `flagstone analyze` goes.
#ifndef FLAGSTONE_APP_CLI_ANALYZE_SECONDS_H_
#define FLAGSTONE_APP_CLI_ANALYZE_SECONDS_H_

#include <string>
#include <vector>

#include "app/flow/analyse/analysis_json.h"
#include "app/flow/analyse/analyze.h"
#include "app/results/run_json.h"

namespace flagstone {

// All that was waited for is in one of the figures.
struct AnalyzeSeconds {
  // `all_seconds`: of the whole verb.
  AnalyzeSeconds(const std::vector<AnalyzedLaunch>& analyzed, double parse_seconds,
                 double all_seconds);

  LaunchAnalysis::Seconds launches;  // together
  double parse = 0;
  double other = 0;  // buffers, comparisons of policies, files
  double all = 0;
};

Json ToJson(const AnalyzeSeconds& seconds);

// "analysed in 1.00 ms: parse 0.25, ..."
std::string SecondsLine(const AnalyzeSeconds& seconds, bool known_data);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_ANALYZE_SECONDS_H_
