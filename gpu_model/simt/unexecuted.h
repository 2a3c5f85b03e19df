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
  uint16_t tensor_work = 0;      // of a warp, as in InstructionInfo
  bool is_async = false;         // its result is there when a wait says so
  bool waits_for_async = false;  // for all that are under way
};

// Of an instruction's text. A wgmma is four warps' work, of 16 rows each, at the rate of the
// machine's mma (assumption: no source gives another one). Nothing where the machine files have no
// figure for its kind, such as accesses to memory whose address is not known.
std::optional<UnexecutedClass> ClassOfUnexecuted(std::string_view text);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_UNEXECUTED_H_
