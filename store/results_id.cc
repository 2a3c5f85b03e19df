#include "store/results_id.h"

#include "base/paths.h"
#include "store/source_hash.h"
#include "store/sources.h"

namespace flagstone {

std::string_view ResultsId() { return kResultsId; }

std::string RtlDifference() {
  static const std::string kNow = HashRtl(DataFolder() / "rtl");
  return kBlocksAsCommitted && kNow == kRtlHash ? "" : kNow;
}

}  // namespace flagstone
