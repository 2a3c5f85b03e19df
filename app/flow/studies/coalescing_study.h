// Static coalescing beside what the L1 is asked and answers, kernel by kernel (Kim, Eom, Kim: Table
// 3, Figs. 7 and 8).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_COALESCING_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_COALESCING_STUDY_H_

#include "app/flow/run/run.h"
#include "app/results/run_json.h"

namespace flagstone {

class TomlReader;

// What the paper gives of a kernel: {degree (0 to 1), sectors_in_range, sector_expectation,
// sectors_per_request, hit_rate (null: not given)}. Throws kBadInput.
Json ReadTheirCoalescing(const TomlReader& reader);

// A row per kernel, in the order of their first launches: what analyzer/coalescing says of all its
// launches together, and as simulated
//   sectors_per_request   of its global loads
//   hit_rate              of these sectors, those that were in the L1 or on their way to it
//                         (assumption: the paper's profiler counts both)
//   hit_rate_with_stores  the same of loads and stores, all stores being hits (assumption: the
//                         paper does not say what its hit rate is of; this comes nearer to it)
Json CoalescingRows(const RunOptions& options, const Workload& workload, bool* interrupted);

// Whether degree, sectors and expectation are theirs, to the digits that the paper prints. The
// measured figures are another GPU's on other data and are not judged.
bool CoalescingAgrees(const Json& row);

// {sets[] {set, kernels, degree_and_hits, degree_and_hits_with_stores, expectation_and_sectors,
// their_expectation_and_sectors, high_degree, high_hits, high_hits_with_stores}} of the published
// kernels and of all, as far as degree and hit rate are known: Pearson's r (assumption: the paper
// names no coefficient), and the paper's claim that kernels above a degree of 70 % have hit rates
// above 60 %.
Json SummarizeCoalescing(const Json& rows);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_COALESCING_STUDY_H_
