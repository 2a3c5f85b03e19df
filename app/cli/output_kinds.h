// Which kind of file each option writes.
#ifndef FLAGSTONE_APP_CLI_OUTPUT_KINDS_H_
#define FLAGSTONE_APP_CLI_OUTPUT_KINDS_H_

#include "app/cli/verb.h"

namespace flagstone {

// Throws kBadInput for an output whose name ends as files of another kind do, such as
// `--treemap x.png`, which writes SVG. An ending that nobody knows says nothing.
void RefuseOtherKinds(const Given& given);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_OUTPUT_KINDS_H_
