// `--report FILE`: a verb's result as a page.
#ifndef FLAGSTONE_APP_CLI_REPORT_OPTION_H_
#define FLAGSTONE_APP_CLI_REPORT_OPTION_H_

#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "app/report/results.h"

namespace flagstone {

struct ReportOption {
  std::string file;  // empty: none is wanted

  void AddTo(Verb* verb);
  bool wanted() const { return !file.empty(); }
  bool OnStdout() const { return file == "-"; }
  // Writes the page, whole or not at all; does nothing where none is wanted.
  void Write(const ResultJson& result) const;
};

// The page of several results.
void WriteReport(const std::string& file, const std::vector<NamedResult>& results);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_REPORT_OPTION_H_
