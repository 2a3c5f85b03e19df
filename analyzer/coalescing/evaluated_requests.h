// Coalescing of loads that are deterministic without being affine, thread by thread. Internal to
// this folder.
#ifndef FLAGSTONE_ANALYZER_COALESCING_EVALUATED_REQUESTS_H_
#define FLAGSTONE_ANALYZER_COALESCING_EVALUATED_REQUESTS_H_

#include <cstdint>

#include "analyzer/address/address_form.h"
#include "analyzer/address/slice.h"
#include "analyzer/coalescing/coalescing.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// `constants`: what .const memory holds. `loads`: how many of the launch are evaluated.

// The rule, on the addresses that the threads would have. Sets `problem` where there are none.
void ApplyRuleByEvaluation(const AddressForm& access, const ConstantBytes* constants,
                           const KernelLaunch& launch, const KernelStructure& structure,
                           uint64_t loads, LoadCoalescing& load);

// The requests as they are executed. Sets `request_problem` where they depend on data.
void CountRequestsByEvaluation(const AddressForm& access, const ConstantBytes* constants,
                               const KernelLaunch& launch, const KernelStructure& structure,
                               uint64_t loads, LoadCoalescing& load);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_EVALUATED_REQUESTS_H_
