// Loops in which a thread may wait for another one: a lock that is taken, a flag that is raised.
#ifndef FLAGSTONE_KERNELS_PTX_SPIN_LOOPS_H_
#define FLAGSTONE_KERNELS_PTX_SPIN_LOOPS_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// Which side of a branch goes on in the spin loop that the other side leaves.
enum class Stays : uint8_t {
  kNowhere,  // the branch does not leave a spin loop
  kAtTarget,
  kAtNext,
};

// By instruction. A natural loop is a spin loop if each of its exits hangs on a value that is
// loaded, swapped or tested within it, at an address that the loop does not change: what it waits
// for, it cannot bring about by going round.
std::vector<Stays> FindSpinLoops(const Kernel& kernel, const ControlFlow& flow);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_SPIN_LOOPS_H_
