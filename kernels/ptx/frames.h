// The stack of a kernel: frames of recursive functions, and what alloca gives out.
//
// A function that can call itself, directly or through others, is not inlined. A kernel holds one
// copy of it, a procedure, which calls enter by a branch and leave by a chain of comparisons with
// the numbers of the places that call it. Each call makes a frame behind the .local variables of
// the thread: a header, the procedure's own .local variables, and the registers that its calls must
// preserve. What is passed lies in variables between caller and callee, outside of the frames.
//
// Everything behind the parser sees branches and accesses to local memory. The stack's size is the
// launch's: what does not fit ends the run.
#ifndef FLAGSTONE_KERNELS_PTX_FRAMES_H_
#define FLAGSTONE_KERNELS_PTX_FRAMES_H_

#include <cstdint>
#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

inline constexpr uint64_t kFrameAlignment = 16;  // bytes, of whatever lies on the stack
// The header of a frame: the number of the place to return to, then where the caller's frame lies.
inline constexpr uint64_t kLinkOffset = 8;
inline constexpr uint64_t kFrameHeader = 16;

// What is passed to and from a procedure has a name that begins so, which no text can spell: calls
// do not preserve it.
inline constexpr std::string_view kPassed = "passed ";

// Turns procedure calls, the returns of procedures, alloca, stacksave and stackrestore into plain
// instructions. A procedure is a stretch of instructions with its number; it begins with the first.
// Pointers have `address_bits`.
void MakeFrames(Kernel* kernel, int address_bits);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_FRAMES_H_
