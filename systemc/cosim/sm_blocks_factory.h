// The hardware blocks of an SM that a user names: prefetcher and warp schedulers. Some have RTL;
// the others are C++ models under every engine.
#ifndef FLAGSTONE_SYSTEMC_COSIM_SM_BLOCKS_FACTORY_H_
#define FLAGSTONE_SYSTEMC_COSIM_SM_BLOCKS_FACTORY_H_

#include <memory>
#include <string_view>

#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "systemc/cosim/block_factory.h"

namespace flagstone {

// The body comes out of reset. All throw kBadInput for an unknown name, and for parameters that the
// block cannot have.
std::unique_ptr<Prefetcher> MakePrefetcherBody(std::string_view name,
                                               const PrefetcherConfig& config, Engine engine,
                                               const BodyOptions& options = {});
std::unique_ptr<WarpScheduler> MakeWarpSchedulerBody(std::string_view name,
                                                     const WarpSchedulerConfig& config,
                                                     Engine engine,
                                                     const BodyOptions& options = {});

// The same of blocks by their RTL, with any of its parameters.
std::unique_ptr<Prefetcher> MakePrefetcherBody(const PrefetcherType& type, Engine engine,
                                               const BodyOptions& options = {});
std::unique_ptr<WarpScheduler> MakeWarpSchedulerBody(const WarpSchedulerType& type, Engine engine,
                                                     const BodyOptions& options = {});

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_SM_BLOCKS_FACTORY_H_
