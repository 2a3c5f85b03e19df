// In the place of `flagstone sweep` in a build with FLAGSTONE_WITH_SWEEP=OFF.
#include "app/cli/left_out_verb.h"
#include "app/cli/verbs.h"

namespace flagstone {

void AddSweepVerb(CommandLineParser* command) {
  AddLeftOutVerb(command, "sweep", "FLAGSTONE_WITH_SWEEP");
}

}  // namespace flagstone
