#include "app/flow/run/run_options.h"

namespace flagstone {

std::string_view ToString(Values values) { return values == Values::kSlice ? "slice" : "full"; }

Workload LoadWorkload(const RunOptions& options, Workload::For purpose) {
  if (options.workload_text.empty()) {
    return Workload::Load(FindWorkload(options.workload), options.size, options.files, purpose);
  }
  return Workload::LoadText(options.workload_text, options.workload, options.size, options.files,
                            purpose);
}

Workload::For PurposeOf(const RunOptions& options) {
  const bool slice = options.values == Values::kSlice && !options.functional;
  return slice ? Workload::For::kAnalysis : Workload::For::kRun;
}

}  // namespace flagstone
