#include "app/cli/report_option.h"

#include "app/report/page.h"
#include "base/file.h"

namespace flagstone {

void ReportOption::AddTo(Verb* verb) {
  verb->Add("--report", &file, "Write a page with pictures, for a browser (docs/report.md)")
      .Type("FILE.html")
      .Output();
}

void ReportOption::Write(const ResultJson& result) const {
  if (wanted()) WriteReport(file, {{"", result}});
}

void WriteReport(const std::string& file, const std::vector<NamedResult>& results) {
  WriteFileAtomically(file, MakePage(results));
}

}  // namespace flagstone
