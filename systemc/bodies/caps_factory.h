// CAPS's prefetcher and its warp scheduler: model, RTL, or both in lockstep.
#ifndef FLAGSTONE_SYSTEMC_BODIES_CAPS_FACTORY_H_
#define FLAGSTONE_SYSTEMC_BODIES_CAPS_FACTORY_H_

#include <memory>

#include "gpu_model/blocks/caps/caps_warp_scheduler.h"
#include "gpu_model/blocks/caps/ports.h"
#include "systemc/bodies/block_factory.h"

namespace flagstone {

// The RTL's parameters as a configuration; those that are not there keep their standard values.
CapsConfig CapsConfigOf(const RtlParameters& parameters);

// Throws kBadInput for parameters that are out of range.
BlockType<CapsIn, CapsOut> CapsPrefetcherType(const CapsConfig& config);

// The body comes out of reset.
std::unique_ptr<CapsBlock> MakeCapsPrefetcher(const CapsConfig& config, Engine engine,
                                              const BodyOptions& options = {});

BlockType<WarpSchedulerIn, WarpSchedulerOut> CapsWarpSchedulerType(
    const CapsWarpSchedulerConfig& config);
CapsWarpSchedulerConfig CapsWarpSchedulerConfigOf(const RtlParameters& parameters);
std::unique_ptr<WarpScheduler> MakeCapsWarpScheduler(const CapsWarpSchedulerConfig& config,
                                                     Engine engine,
                                                     const BodyOptions& options = {});

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_CAPS_FACTORY_H_
