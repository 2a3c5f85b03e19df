#include "systemc/cosim/sm_blocks_factory.h"

#include "systemc/cosim/sm_block_ports.h"

namespace flagstone {

std::unique_ptr<Prefetcher> MakePrefetcherBody(const PrefetcherType& type, Engine engine,
                                               const BodyOptions& options) {
  // CAPS's ports have a faster way than by their tables.
  if (type.name == "caps_prefetcher") {
    return MakeBody<PrefetcherIn, PrefetcherOut, PrefetcherPorts>(type, engine, options);
  }
  return MakeBody<PrefetcherIn, PrefetcherOut>(type, engine, options);
}

std::unique_ptr<WarpScheduler> MakeWarpSchedulerBody(const WarpSchedulerType& type, Engine engine,
                                                     const BodyOptions& options) {
  if (type.name == "caps_warp_scheduler") {
    return MakeBody<WarpSchedulerIn, WarpSchedulerOut, WarpSchedulerPorts>(type, engine, options);
  }
  return MakeBody<WarpSchedulerIn, WarpSchedulerOut>(type, engine, options);
}

std::unique_ptr<Prefetcher> MakePrefetcherBody(std::string_view name,
                                               const PrefetcherConfig& config, Engine engine,
                                               const BodyOptions& options) {
  const PrefetcherDescriptor& prefetcher = FindPrefetcher(name);
  if (!prefetcher.HasRtl()) return MakePrefetcher(name, config);
  return MakePrefetcherBody(prefetcher.type(prefetcher.parameters(config)), engine, options);
}

std::unique_ptr<WarpScheduler> MakeWarpSchedulerBody(std::string_view name,
                                                     const WarpSchedulerConfig& config,
                                                     Engine engine, const BodyOptions& options) {
  const WarpSchedulerDescriptor& scheduler = FindWarpScheduler(name);
  if (!scheduler.HasRtl()) return MakeWarpScheduler(name, config);
  return MakeWarpSchedulerBody(scheduler.type(scheduler.parameters(config)), engine, options);
}

}  // namespace flagstone
