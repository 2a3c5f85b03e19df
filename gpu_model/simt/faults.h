// Failed runs: one-line messages that name instruction, thread, TB and address. All throw
// LaunchFailure.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_FAULTS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_FAULTS_H_

#include <cstdint>
#include <string>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/launch_failure.h"

namespace flagstone::simt {

enum class Fault : uint8_t { kOutOfBounds, kMisaligned, kReadOnly };

// "FILE:LINE: out-of-bounds load of 4 bytes at 0x1000b0000 by thread (3,0,0) of TB (1,2,0): TEXT;
// "A" ends at 0x1000b0000"
[[noreturn]] void ThrowFault(const Context& context, const Inst& inst, uint32_t lane, Fault fault,
                             MemorySpace space, uint64_t address);

// "FILE:LINE: trap by thread (3,0,0) of TB (1,2,0): TEXT"
[[noreturn]] void ThrowTrap(const Context& context, const Inst& inst, uint32_t lane);

// A barrier that only some of a warp's threads reach.
[[noreturn]] void ThrowDivergentBarrier(const Context& context, const Inst& inst, LaneMask arrived,
                                        LaneMask live);

// "FILE:LINE: WHAT by thread (3,0,0) of TB (1,2,0): TEXT"
[[noreturn]] void ThrowOfThread(const Context& context, const Inst& inst, uint32_t lane,
                                const std::string& what, FailureCause cause = FailureCause::kOther);

// "FILE:LINE: WHAT by warp 2 of TB (1,2,0): TEXT"
[[noreturn]] void ThrowOfWarp(const Context& context, const Inst& inst, const std::string& what,
                              FailureCause cause = FailureCause::kOther);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_FAULTS_H_
