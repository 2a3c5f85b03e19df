// The sizes at which each block is tried in a four-state simulator.
#ifndef FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_SIZES_H_
#define FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_SIZES_H_

#include <cstdint>

namespace flagstone {

// Prints `BLOCK NAME=VALUE...`: each block for `sms` SMs or lanes, and then in each of its kinds.
void PrintSizes(uint32_t sms);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_SIZES_H_
