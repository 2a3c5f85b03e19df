// The .param variables of inlined calls, which no machine has: they become registers or local
// memory.
#ifndef FLAGSTONE_KERNELS_PTX_CALL_VARIABLES_H_
#define FLAGSTONE_KERNELS_PTX_CALL_VARIABLES_H_

#include "kernels/ptx/function.h"

namespace flagstone::ptx {

// A variable whose accesses fall into pieces that do not overlap becomes a register per piece, and
// ld.param and st.param become moves (one per element of a vector); a narrower load of a piece's
// low bytes is fine too, as compilers pass `char` in 32 bits. Any other, such as one whose address
// is taken, becomes a .local variable of the kernel.
void LowerCallVariables(Body* body);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_CALL_VARIABLES_H_
