#include "systemc/bodies/sm_blocks_factory.h"

#include "gpu_model/blocks/caps/pas_names.h"
#include "systemc/bodies/caps_factory.h"

namespace flagstone {

bool PrefetcherHasRtl(std::string_view name) { return name == "caps"; }
bool WarpSchedulerHasRtl(std::string_view name) { return PasConfig(name, {}).has_value(); }

std::unique_ptr<Prefetcher> MakePrefetcherBody(std::string_view name,
                                               const PrefetcherConfig& config, Engine engine,
                                               const BodyOptions& options) {
  if (PrefetcherHasRtl(name)) return MakeCapsPrefetcher(CapsConfigOf(config), engine, options);
  return MakePrefetcher(name, config);
}

std::unique_ptr<WarpScheduler> MakeWarpSchedulerBody(std::string_view name,
                                                     const WarpSchedulerConfig& config,
                                                     Engine engine, const BodyOptions& options) {
  if (const auto pas = PasConfig(name, config)) return MakeCapsWarpScheduler(*pas, engine, options);
  return MakeWarpScheduler(name, config);
}

}  // namespace flagstone
