// Makes the C++ model of a prefetcher by its name.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_FACTORY_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_FACTORY_H_

#include <memory>
#include <string_view>

#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/prefetcher/ports.h"

namespace flagstone {

// After Reset(); null for `none`. Throws kBadInput, listing kPrefetchers, for an unknown name.
std::unique_ptr<Prefetcher> MakePrefetcher(std::string_view name, const PrefetcherConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_FACTORY_H_
