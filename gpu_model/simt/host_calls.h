// The system calls of device code that the host answers: vprintf prints, __assertfail ends the run
// (CUDA C++ Programming Guide, "Formatted Output" and "Assertion").
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HOST_CALLS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HOST_CALLS_H_

#include <string>

#include "gpu_model/simt/code.h"

namespace flagstone::simt {

// Appends the text of each lane, lowest first, to Context::printed; the result is the number of
// arguments that the format names, or -1 without a format. Throws kRunFailed where the format or an
// argument lies outside of all memory, or the format has a conversion that CUDA does not know.
void Print(Context& context, const Inst& inst, LaneMask mask);

// Throws kRunFailed that names the assertion, its file, line and function, and the thread.
void FailAssertion(Context& context, const Inst& inst, LaneMask mask);

// Throws kRunFailed that names the call, its thread and the depth of its calls. What is given is
// the frame at hand: each one holds, at kLinkOffset, where its caller's lies
// (kernels/ptx/frames.h).
void OverflowStack(Context& context, const Inst& inst, LaneMask mask);

// Writes Context::printed to stderr, where it stays apart from results and JSON on stdout, or to
// where PrintTo says.
void FlushPrinted(Context& context);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HOST_CALLS_H_
