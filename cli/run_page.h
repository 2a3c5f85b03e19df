// What `run` prints of a run, from its record as JSON, which the store of results has too.
#ifndef FLAGSTONE_CLI_RUN_PAGE_H_
#define FLAGSTONE_CLI_RUN_PAGE_H_

#include <string>
#include <string_view>

#include "record/json.h"

namespace flagstone {

// The launches, one after another, their totals, the loads' prefetches and the checks.
std::string RunPage(const Json& record);

// Puts figures of a launch in the place of names in braces: {l1.hits} is a column's value as it is
// shown (record/columns.h), {l1.misses/l1.accesses} a share of two sums such as {a+b-c/d}, in
// percent. The name of a group, such as sm.issue, stands for the sum over its fields.
std::string FillIn(std::string_view text, const Json& launch);

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_RUN_PAGE_H_
