// In the place of `flagstone report` and `--report` in a build with FLAGSTONE_WITH_REPORT=OFF.
#include "app/cli/left_out_verb.h"
#include "app/cli/report_option.h"
#include "app/cli/verbs.h"
#include "base/error.h"

namespace flagstone {
namespace {

constexpr const char* kOption = "FLAGSTONE_WITH_REPORT";

}  // namespace

void ReportOption::AddTo(Verb* verb) {
  verb->Add("--report", &file, "(left out of this build: FLAGSTONE_WITH_REPORT)")
      .Type("FILE.html")
      .Check([](const std::string&) { return LeftOutMessage("the page of a result", kOption); });
}

void ReportOption::Write(const ResultJson& /*result*/) const {}

void WriteReport(const std::string& file, const std::vector<NamedResult>& /*results*/) {
  ThrowInternal("a page '{}' in a build without pages", file);
}

void AddReportVerb(CommandLineParser* command) { AddLeftOutVerb(command, "report", kOption); }

}  // namespace flagstone
