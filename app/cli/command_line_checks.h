// Options that would do nothing in this use of a verb.
#ifndef FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_
#define FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_

#include "app/cli/verb.h"

namespace flagstone {

// Throws kBadInput for an option that the verb would leave out in silence, with the reason and what
// makes the option do something. The one place for this, but for options of which only the inputs
// can tell.
void RefuseUseless(const Given& given);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_
