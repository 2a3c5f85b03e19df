// Options that would do nothing in this use of a verb.
#ifndef FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_
#define FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_

#include "app/cli/verb.h"

namespace flagstone {

// Throws kBadInput for an option without which something that was asked for would be missing in
// silence, with the reason and what makes the option do something. One that only says how something
// is done that is not done here is a note on stderr, as scripts give it to all their commands. The
// one place for this, but for options of which only the inputs can tell.
void RefuseUseless(const Given& given);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_COMMAND_LINE_CHECKS_H_
