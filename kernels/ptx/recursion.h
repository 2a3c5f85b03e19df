// Which functions can call themselves, directly or through others: the cycles of the call graph.
#ifndef FLAGSTONE_KERNELS_PTX_RECURSION_H_
#define FLAGSTONE_KERNELS_PTX_RECURSION_H_

#include <deque>
#include <unordered_set>
#include <vector>

#include "kernels/ptx/function.h"

namespace flagstone::ptx {

// Definitions, of those in `functions`. A call through a register may lead to each of `targets`
// that has the shape of the call.
std::unordered_set<const Function*> FindRecursive(const std::deque<Function>& functions,
                                                  const std::vector<PointerTarget>& targets);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_RECURSION_H_
