// The prefetchers there are: `flagstone list prefetchers`, --help and completions take names from
// here. A new one is a line here.
#include <iterator>
#include <string>

#include "base/error.h"
#include "gpu_model/blocks/prefetcher/caps/caps_prefetcher.h"
#include "gpu_model/blocks/prefetcher/chain_policy.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/prefetcher/miss_policies.h"
#include "gpu_model/blocks/prefetcher/prefetcher_model.h"
#include "gpu_model/blocks/prefetcher/stride_policies.h"

namespace flagstone {
namespace {

template <class Policy>
std::unique_ptr<Prefetcher> Model(const PrefetcherConfig& config) {
  return std::make_unique<PrefetcherModel<Policy>>(config);
}

}  // namespace

const std::vector<const PrefetcherDescriptor*>& AllPrefetchers() {
  static const PrefetcherDescriptor kNone = {kNoPrefetcher, "no prefetching"};
  static const PrefetcherDescriptor* const kWithRtl[] = {
      &CapsPrefetcherDescriptor(),
      &CapsPlusDescriptor(),
  };
  // CAPS's rivals have no RTL.
  static const PrefetcherDescriptor kRivals[] = {
      {"intra", "strides between a warp's executions of a load: those of its next one",
       Model<IntraWarpStride>},
      {"inter", "strides between warps, whatever their TBs: the next warps' loads",
       Model<InterWarpStride>},
      {"mta", "many-thread aware: intra where a warp's load repeats regularly, else inter",
       Model<ManyThreadAware>},
      {"nlp", "next line: the line after one that is missed", Model<NextLine>},
      {"lap", "locality-aware: the rest of four lines of which two are missed",
       Model<LocalityAware>},
      {"orch", "orchestrated: lap, meant for the warp scheduler of the same name",
       Model<LocalityAware>},
      {"snake", "chains of strides from load to load of a warp, and strides between warps",
       Model<ChainedStrides>},
  };
  static const std::vector<const PrefetcherDescriptor*> kAll = [] {
    std::vector<const PrefetcherDescriptor*> all = {&kNone};
    all.insert(all.end(), std::begin(kWithRtl), std::end(kWithRtl));
    for (const PrefetcherDescriptor& rival : kRivals) all.push_back(&rival);
    return all;
  }();
  return kAll;
}

const PrefetcherDescriptor& FindPrefetcher(std::string_view name) {
  std::string known;
  for (const PrefetcherDescriptor* prefetcher : AllPrefetchers()) {
    if (prefetcher->name == name) return *prefetcher;
    known += (known.empty() ? "" : ", ") + std::string(prefetcher->name);
  }
  ThrowBadInput("unknown prefetcher '{}': expected one of {}", name, known);
}

std::unique_ptr<Prefetcher> MakePrefetcher(std::string_view name, const PrefetcherConfig& config) {
  const PrefetcherDescriptor& descriptor = FindPrefetcher(name);
  if (descriptor.model == nullptr) return nullptr;
  std::unique_ptr<Prefetcher> prefetcher = descriptor.model(config);
  prefetcher->Reset();
  return prefetcher;
}

}  // namespace flagstone
