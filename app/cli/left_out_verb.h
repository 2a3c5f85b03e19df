// What stands in the place of a room that a build leaves out (FLAGSTONE_WITH_... of CMake).
#ifndef FLAGSTONE_APP_CLI_LEFT_OUT_VERB_H_
#define FLAGSTONE_APP_CLI_LEFT_OUT_VERB_H_

#include <string>

#include "app/cli/verb.h"

namespace flagstone {

// "flagstone sweep is no part of this build: configure it with -DFLAGSTONE_WITH_SWEEP=ON".
std::string LeftOutMessage(const std::string& what, const std::string& option);

// A verb that takes any arguments and throws kBadInput with this message. `option`:
// "FLAGSTONE_WITH_SWEEP".
void AddLeftOutVerb(CommandLineParser* command, const std::string& name, const std::string& option);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_LEFT_OUT_VERB_H_
