// Algorithm 1 on the accesses of a kernel. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_
#define FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_

#include <vector>

#include "analyzer/ladm/ladm.h"
#include "analyzer/ladm/prime_expansion.h"

namespace flagstone {

// An access with its index, before and after the split in loop-variant and loop-invariant terms.
struct ExpandedAccess {
  const AddressForm* access = nullptr;
  Polynomial index;  // in bytes, without the array's base
  // The terms with an induction variable, and those that each turn of the innermost loop loads or
  // computes anew. A start that an outer loop loads is invariant: row_start[i] of row_start[i] + m.
  Polynomial variant;
  Polynomial invariant;
};

ExpandedAccess Expand(const AddressForm& access, const KernelLaunch& launch,
                      const DeviceMemory& memory, PrimeExpansion& expansion);

// Compilers unroll loops: `k` accesses to an array in one loop that differ by constants alone,
// evenly spaced by a k-th of what a turn adds, are one access of a loop with k times as many turns.
// Scales their variant parts back, and returns k for each access (1 where nothing was unrolled).
std::vector<uint32_t> Reroll(std::vector<ExpandedAccess>& accesses);

// Algorithm 1, with the order of tests of Table II: intra-thread, none, shared by row or column.
LocalityType Classify(const ExpandedAccess& access, const KernelLaunch& launch,
                      PrimeExpansion& expansion);

// The loop-variant part / m for the outermost loop that it has a term of.
Polynomial StrideOf(const Polynomial& variant);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_
