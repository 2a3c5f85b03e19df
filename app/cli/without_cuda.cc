// In the place of `flagstone exec` in a build with FLAGSTONE_WITH_CUDA=OFF.
#include "app/cli/left_out_verb.h"
#include "app/cli/verbs.h"

namespace flagstone {

void AddExecVerb(CommandLineParser* command) {
  AddLeftOutVerb(command, "exec", "FLAGSTONE_WITH_CUDA");
}

}  // namespace flagstone
