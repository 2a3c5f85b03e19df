#include "gpu_model/blocks/all/all_blocks.h"

#include "base/error.h"
#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"
#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"

namespace flagstone {

const std::vector<const BlockDescriptor*>& BlockDescriptors() {
  static const std::vector<const BlockDescriptor*> kAll = [] {
    std::vector<const BlockDescriptor*> all;
    for (const TbSchedulerDescriptor* scheduler : AllTbSchedulers())
      all.push_back(&scheduler->block);
    all.push_back(&TbRootDescriptor());
    all.push_back(&DispatchTopDescriptor());
    for (const PrefetcherDescriptor* prefetcher : AllPrefetchers()) {
      // CAPS is one block under two names, PAS one under several.
      const bool seen = all.back()->name == prefetcher->block.name;
      if (prefetcher->HasRtl() && !seen) all.push_back(&prefetcher->block);
    }
    for (const WarpSchedulerDescriptor* scheduler : AllWarpSchedulers()) {
      const bool seen = !all.empty() && all.back()->name == scheduler->block.name;
      if (scheduler->HasRtl() && !seen) all.push_back(&scheduler->block);
    }
    all.push_back(&L2PolicyDescriptor());
    for (const BlockDescriptor& part : PartDescriptors()) all.push_back(&part);
    return all;
  }();
  return kAll;
}

const BlockDescriptor& DescriptorOf(std::string_view name) {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    if (block->name == name) return *block;
  }
  ThrowInternal("no block {}", name);
}

}  // namespace flagstone
