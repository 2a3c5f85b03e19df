#include "app/results/results_id.h"

#include "app/results/source_hash.h"
#include "app/results/sources.h"
#include "base/paths.h"

namespace flagstone {

std::string_view ResultsId() { return kResultsId; }

std::string RtlDifference() {
  static const std::string kNow = HashRtl(DataFolder() / "rtl");
  return kBlocksAsCommitted && kNow == kRtlHash ? "" : kNow;
}

}  // namespace flagstone
