// What a user may have wanted to type.
#ifndef FLAGSTONE_APP_CLI_SUGGEST_H_
#define FLAGSTONE_APP_CLI_SUGGEST_H_

#include <CLI/CLI.hpp>
#include <string>

namespace flagstone {

// One sentence on what `verb` was given and does not take: "'run' has no option '--polcy': did you
// mean '--policy'?"
std::string DescribeExtras(const CLI::App& verb);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_SUGGEST_H_
