// Results as files, and the data of a page: results of any verb in one document.
#ifndef FLAGSTONE_APP_REPORT_RESULTS_H_
#define FLAGSTONE_APP_REPORT_RESULTS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// A result is a JSON document with one of the schemas of docs/results.md. The room knows nothing
// else of what made it.
using ResultJson = nlohmann::ordered_json;

// Results that one page shows, and what its tabs are called.
struct NamedResult {
  std::string name;  // a file's, or what the result says it is; may be empty
  ResultJson json;
};

// The result in a file; several, where the file holds the data of a page (ExtractData). Throws
// kBadInput, which names the file, for what is no JSON, is cut short, or is no result that a page
// can show.
std::vector<NamedResult> ReadResults(const std::string& file);
// The same of a text; `file` is for messages.
std::vector<NamedResult> ParseResults(const std::string& file, std::string_view text);

// What a page holds: the schema flagstone.report/1 with `results[] {name, result}`.
ResultJson PageData(const std::vector<NamedResult>& results);

// A name for the result: its workload, policy and machine, or its blocks, or its experiment.
std::string TitleOf(const ResultJson& result);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_REPORT_RESULTS_H_
