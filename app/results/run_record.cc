#include "app/results/run_record.h"

#include <algorithm>

namespace flagstone {

bool RunRecord::ChecksPassed() const {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& c) { return c.passed; });
}

bool RunRecord::HasRaces() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.kind == FindingKind::kRace; });
}

}  // namespace flagstone
