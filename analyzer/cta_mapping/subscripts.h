// Linear addresses back to the subscripts of the array they came from.
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_SUBSCRIPTS_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_SUBSCRIPTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/address/address_form.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Of one access, outermost subscript first. The last one is in bytes from the start of a row.
using Subscripts = std::vector<AffineForm>;

// Subscripts of all affine accesses to the array at `base`, in the same dimensions for all of them.
//
// A pitch is the coefficient of a thread id, of a loop counter, or of a TB id that does not just
// continue the thread id. It splits each address into a quotient and a remainder, and is taken if
// the remainders stay within one pitch; where guards do not hold them there, as with unguarded
// neighbours of border cells, they may stick out by an eighth. Pitches below `block_bytes` are left
// alone: their rows share cache blocks anyway.
std::vector<Subscripts> Delinearise(std::span<const AddressForm* const> accesses, uint64_t base,
                                    const AddressAnalysis& analysis, const KernelLaunch& launch,
                                    uint64_t block_bytes);

// One of the two accesses of a pair.
struct SubscriptedAccess {
  const AddressForm* access = nullptr;
  const Subscripts* subscripts = nullptr;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_SUBSCRIPTS_H_
