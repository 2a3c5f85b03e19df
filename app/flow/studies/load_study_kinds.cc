#include "app/flow/studies/load_study_kinds.h"

#include <algorithm>

#include "app/flow/studies/coalescing_study.h"
#include "app/flow/studies/ladm_study.h"
#include "app/flow/studies/sharing_study.h"

namespace flagstone {

std::span<const LoadStudyKind> LoadStudyKinds() {
  using Kind = LoadStudy::Kind;
  static const std::vector<LoadStudyKind> kKinds = {
      {.kind = Kind::kIterations, .name = "load-iterations", .has_machine = false},
      {.kind = Kind::kWarpDistance, .name = "warp-distance"},
      {.kind = Kind::kTbBases, .name = "tb-bases"},
      {.kind = Kind::kCoalescing,
       .name = "coalescing",
       .their_keys = {"degree", "sectors_in_range", "sector_expectation", "sectors_per_request",
                      "hit_rate"},
       .read = ReadTheirCoalescing,
       .agrees = CoalescingAgrees,
       .summarize = SummarizeCoalescing,
       .takes_others = true},
      {.kind = Kind::kLadm,
       .name = "ladm",
       .has_machine = false,
       .their_keys = {"locality", "scheduler"},
       .read = ReadTheirLadm,
       .agrees = LadmAgrees,
       .summarize = SummarizeLadm},
      {.kind = Kind::kSharing,
       .name = "tb-sharing",
       .has_machine = false,
       .their_keys = {"tbs", "references", "sp_score", "shared_tbs", "degree_of_sharing",
                      "inter_tb"},
       .read = ReadTheirSharing,
       .agrees = SharingAgrees,
       .summarize = SummarizeSharing},
  };
  return kKinds;
}

const LoadStudyKind& KindOf(const LoadStudy& study) {
  const std::span<const LoadStudyKind> kinds = LoadStudyKinds();
  return *std::find_if(kinds.begin(), kinds.end(),
                       [&](const LoadStudyKind& kind) { return kind.kind == study.kind; });
}

}  // namespace flagstone
