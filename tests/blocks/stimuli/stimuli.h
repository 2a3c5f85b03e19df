// Random stimuli that keep to a block's protocol, made in a closed loop with its golden model: for
// comparing bodies, for mutants, for coverage.
#ifndef FLAGSTONE_TESTS_BLOCKS_STIMULI_STIMULI_H_
#define FLAGSTONE_TESTS_BLOCKS_STIMULI_STIMULI_H_

#include <cstdint>
#include <string>

#include "systemc/cosim/block_registry.h"
#include "tests/blocks/contract/random_kernels.h"

namespace flagstone {

// A CSV as `flagstone block` reads it, of at least `cycles` rows (large kernels: as many). Throws
// kInternal for a block that has no stimuli here: each row of the registry needs some.
std::string RandomStimulus(const BlockRow& row, const RtlParameters& parameters, uint64_t seed,
                           uint64_t cycles, KernelSize size = KernelSize::kSmall);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_STIMULI_STIMULI_H_
