// Offsets of a kernel's variables in its parameter, shared and local blocks.
#ifndef FLAGSTONE_KERNELS_PTX_LAYOUT_H_
#define FLAGSTONE_KERNELS_PTX_LAYOUT_H_

#include "kernels/ptx/kernel.h"
#include "kernels/ptx/lexer.h"

namespace flagstone::ptx {

// Gives the kernel its own copies of the .shared and .local variables of the module and of inlined
// functions that its instructions name, behind its own ones, in the order of first use.
void CopyBlockVariables(Kernel* kernel);

// All in the order of the text, each at the next multiple of its alignment. They throw where a
// block grows too large; the lexer is for the message.
void LayOutParameters(Kernel* kernel, const Lexer& lexer);
void LayOutLocals(Kernel* kernel, const Lexer& lexer);
// Static variables first; all extern (dynamic) ones then begin at one offset, as in CUDA, aligned
// for the strictest of them. `shared_bytes` reaches to there, so dynamic bytes add to it.
void LayOutShared(Kernel* kernel, const Lexer& lexer);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_LAYOUT_H_
