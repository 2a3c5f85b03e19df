// In the place of `flagstone order` in a build with FLAGSTONE_WITH_ORDER=OFF.
#include "app/cli/left_out_verb.h"
#include "app/cli/verbs.h"

namespace flagstone {

void AddOrderVerb(CommandLineParser* command) {
  AddLeftOutVerb(command, "order", "FLAGSTONE_WITH_ORDER");
}

}  // namespace flagstone
