// Two results of one verb, side by side: what was asked for differently, which figures moved most,
// and what the change of cycles is made of.
#ifndef FLAGSTONE_APP_REPORT_DIFF_H_
#define FLAGSTONE_APP_REPORT_DIFF_H_

#include "app/report/results.h"

namespace flagstone {

// The document of schema flagstone.diff/1 (docs/results.md). Parts of the results are paired by
// their names: the runs of a comparison by workload, machine and policy, blocks by name and
// parameters; two runs are a pair whatever they ran. Throws kBadInput, which names both, for
// results of different schemas, and for those that have no part in common.
ResultJson DiffJson(const NamedResult& a, const NamedResult& b);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_REPORT_DIFF_H_
