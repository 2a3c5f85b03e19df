// `flagstone report`: results as one page for a browser, and back.
#include <fmt/core.h>

#include <iterator>
#include <memory>

#include "app/cli/report_option.h"
#include "app/cli/verbs.h"
#include "app/report/page.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

struct ReportVerb {
  std::vector<std::string> files;
  std::string output = "report.html";
  bool extract = false;
};

// A page with one result gives it as its verb wrote it.
std::string Extracted(const std::string& file) {
  const ResultJson data = DataOfPage(file, ReadFile(file));
  const std::vector<NamedResult> results = ParseResults(file, data.dump());
  return (results.size() == 1 ? results.front().json : data).dump(2) + "\n";
}

int Report(const ReportVerb& verb) {
  if (verb.extract) {
    if (verb.files.size() != 1) ThrowBadInput("--extract: expected one page");
    fmt::print("{}", Extracted(verb.files.front()));
    return 0;
  }
  std::vector<NamedResult> results;
  for (const std::string& file : verb.files) {
    if (AreOneFile(file, verb.output)) {
      ThrowBadInput("the page would overwrite '{}', which it is made of: expected another -o FILE",
                    file);
    }
    std::vector<NamedResult> more = ReadResults(file);
    results.insert(results.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  }
  WriteReport(verb.output, results);
  return 0;
}

}  // namespace

void AddReportVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("report", "Show results in one page, for any browser");
  auto options = std::make_shared<ReportVerb>();
  verb->Add("results", &options->files, "What --json of other verbs has written")
      .Required()
      .Type("RESULT.json...")
      .Different()
      .Input();
  verb->Add("-o,--output", &options->output, "The page; - is stdout")
      .Type("FILE.html")
      .Output()
      .ShowDefault();
  verb->AddFlag("--extract", &options->extract, "Print the JSON that a page holds instead");
  verb->Footer(
      "Examples:\n"
      "  flagstone run syrk --policy rb --detail --json rb.json\n"
      "  flagstone run syrk --detail --json lrr.json\n"
      "  flagstone report rb.json lrr.json -o syrk.html\n"
      "  flagstone report --extract syrk.html > data.json\n"
      "The verbs that make results write a page themselves: --report FILE.html");
  verb->Do([options] { return Report(*options); });
}

}  // namespace flagstone
