#include "app/flow/run/run_options.h"

namespace flagstone {

std::string_view ToString(Values values) { return values == Values::kSlice ? "slice" : "full"; }

}  // namespace flagstone
