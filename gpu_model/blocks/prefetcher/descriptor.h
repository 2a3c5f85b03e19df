// A prefetcher as data: its name, its model, and where it has RTL, its block. A new one is a folder
// beside this file with a model and a descriptor, and a line in list.cc.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_DESCRIPTOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/prefetcher/ports.h"

namespace flagstone {

using PrefetcherType = BlockType<PrefetcherIn, PrefetcherOut>;

struct PrefetcherDescriptor {
  std::string_view name;     // as a user gives it
  std::string_view summary;  // one line
  std::unique_ptr<Prefetcher> (*model)(const PrefetcherConfig& config) = nullptr;  // null: none
  // The rest where it has RTL.
  BlockDescriptor block = {};
  // Of parameters that are in range; throws kBadInput for others.
  PrefetcherType (*type)(const RtlParameters& parameters) = nullptr;
  RtlParameters (*parameters)(const PrefetcherConfig& config) = nullptr;

  bool HasRtl() const { return type != nullptr; }
};

// All of them, in the order in which they are listed; kNoPrefetcher is the first.
const std::vector<const PrefetcherDescriptor*>& AllPrefetchers();
// Throws kBadInput, listing the known ones, for an unknown name.
const PrefetcherDescriptor& FindPrefetcher(std::string_view name);

// After Reset(); null for `none`. Throws kBadInput as FindPrefetcher does.
std::unique_ptr<Prefetcher> MakePrefetcher(std::string_view name, const PrefetcherConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_DESCRIPTOR_H_
