// Loops that a compiler unrolled, in part or whole, as the loops they came from. Internal to this
// folder.
#ifndef FLAGSTONE_ANALYZER_LADM_REROLL_H_
#define FLAGSTONE_ANALYZER_LADM_REROLL_H_

#include <cstdint>
#include <vector>

#include "analyzer/ladm/classify.h"

namespace flagstone {

// Scales variant parts back to a turn of the loop in the source, and returns for each access how
// many copies of it there are (1 where nothing was unrolled).
//
// In part: accesses to an array in one loop that differ by multiples of d alone, k of them in a
// row, where a turn adds k * d, are one access of a loop that adds d. Which order the copies are
// in, and whether d is a number, a product of parameters or a sum of both, does not matter: they
// are compared with the launch's numbers put in.
//
// As a whole: nothing is left of the counter but the constants' differences. Accesses that no loop
// moves, evenly spaced by d, are one access of a loop that adds d, where d is about as long as what
// the grid reaches with one of them. Where they lie closer, as in a stencil, no turn covers the
// grid, and no placement follows from it.
std::vector<uint32_t> Reroll(std::vector<ExpandedAccess>& accesses,
                             const std::vector<CountedLoop>& loops, const KernelLaunch& launch,
                             const PrimeExpansion& expansion);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_REROLL_H_
