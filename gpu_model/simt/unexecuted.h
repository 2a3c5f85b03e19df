// How long an instruction takes that is timed and not executed: of a slice (value_slice.h), whose
// result no address, predicate or branch needs.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_UNEXECUTED_H_
#define FLAGSTONE_GPU_MODEL_SIMT_UNEXECUTED_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "gpu_model/simt/program.h"

namespace flagstone::simt {

struct UnexecutedClass {
  Pipe pipe = Pipe::kControl;
};

// Of an instruction's text. Nothing where the machine files have no figure for its kind, such as
// accesses to memory whose address is not known.
std::optional<UnexecutedClass> ClassOfUnexecuted(std::string_view text);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_UNEXECUTED_H_
