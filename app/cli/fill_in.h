// Text with figures of a launch in it, by their names.
#ifndef FLAGSTONE_APP_CLI_FILL_IN_H_
#define FLAGSTONE_APP_CLI_FILL_IN_H_

#include <string>
#include <string_view>

#include "app/results/run_json.h"

namespace flagstone {

// Puts figures of a launch in the place of names in braces: {l1.hits} is a column's value as it is
// shown (app/results/columns.h), {l1.misses/l1.accesses} a share of two sums such as {a+b-c/d}, in
// percent. The name of a group, such as sm.issue, stands for the sum over its fields.
std::string FillIn(std::string_view text, const Json& launch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_FILL_IN_H_
