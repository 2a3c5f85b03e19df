// Whether the two ends of a call fit, and which functions Flagstone itself provides.
#ifndef FLAGSTONE_KERNELS_PTX_CALL_CHECK_H_
#define FLAGSTONE_KERNELS_PTX_CALL_CHECK_H_

#include <string>

#include "kernels/ptx/function.h"

namespace flagstone::ptx {

// kPrint for vprintf and kAssertFail for __assertfail, the system calls of the CUDA Programming
// Guide, where the prototype is the one that compilers print; else kInvalid.
Opcode BuiltinOf(const Function& prototype);

// What is wrong with the number, the sizes or the use of arguments and results; empty if nothing.
std::string MismatchOf(const CallSite& call, const Function& callee, const Kernel& caller);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_CALL_CHECK_H_
