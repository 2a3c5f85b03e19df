// Random kernels for any kind: grids, groups, run times, memories and contexts.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_KERNELS_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_KERNELS_H_

#include <cstdint>

#include "base/random.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {

// Many small kernels, each to its end; or a large one, so that the high bits of ids and counts have
// something to do.
enum class KernelSize : uint8_t { kSmall, kLarge };

// Runs one random kernel to its end on `scheduler`, which is idle, and EXPECTs that each TB was
// issued exactly once. `most_tbs`: of a kernel.
KernelRecord RunRandomKernel(const TbSchedulerDescriptor* kind, uint32_t num_sms, uint32_t id_bytes,
                             uint32_t most_tbs, SplitMix64* random, TbScheduler* scheduler);

// Runs kernels of up to 2^16 TBs, or more, for `cycles` cycles; `scheduler`, fresh from reset, may
// be left in the middle of one. EXPECTs nothing of the TBs.
void RunLargeKernels(const TbSchedulerDescriptor* kind, uint32_t num_sms, uint32_t id_bytes,
                     uint64_t cycles, SplitMix64* random, TbScheduler* scheduler);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_KERNELS_H_
