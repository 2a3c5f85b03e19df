// Algorithm 1 on the accesses of a kernel. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_
#define FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_

#include <optional>
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

// Algorithm 1, with the order of tests of Table II: intra-thread, none, shared by row or column.
LocalityType Classify(const ExpandedAccess& access, const KernelLaunch& launch,
                      PrimeExpansion& expansion);

// The loop-variant part / m for the loop that strides (extents.h).
Polynomial StrideOf(const Polynomial& variant, const std::optional<Prime>& striding);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LADM_CLASSIFY_H_
