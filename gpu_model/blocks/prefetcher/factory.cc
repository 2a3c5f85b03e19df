#include "gpu_model/blocks/prefetcher/factory.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"
#include "gpu_model/blocks/caps/caps_prefetcher.h"
#include "gpu_model/blocks/prefetcher/chain_policy.h"
#include "gpu_model/blocks/prefetcher/miss_policies.h"
#include "gpu_model/blocks/prefetcher/prefetcher_model.h"
#include "gpu_model/blocks/prefetcher/stride_policies.h"

namespace flagstone {
namespace {

using Config = PrefetcherConfig;

template <class Policy>
std::unique_ptr<Prefetcher> Model(const Config& config) {
  return std::make_unique<PrefetcherModel<Policy>>(config);
}

struct Maker {
  std::string_view name;
  std::unique_ptr<Prefetcher> (*make)(const Config&);
};
constexpr std::array kMakers = {
    Maker{kNoPrefetcher, [](const Config&) { return std::unique_ptr<Prefetcher>(); }},
    Maker{"caps",
          [](const Config& c) -> std::unique_ptr<Prefetcher> {
            return std::make_unique<CapsPrefetcher>(CapsConfigOf(c));
          }},
    Maker{"intra", Model<IntraWarpStride>},
    Maker{"inter", Model<InterWarpStride>},
    Maker{"mta", Model<ManyThreadAware>},
    Maker{"nlp", Model<NextLine>},
    Maker{"lap", Model<LocalityAware>},
    Maker{"orch", Model<LocalityAware>},
    Maker{"snake", Model<ChainedStrides>},
};
static_assert(std::equal(kMakers.begin(), kMakers.end(), std::begin(kPrefetchers),
                         std::end(kPrefetchers),
                         [](const Maker& maker, const PrefetcherName& known) {
                           return maker.name == known.name;
                         }));

}  // namespace

std::unique_ptr<Prefetcher> MakePrefetcher(std::string_view name, const PrefetcherConfig& config) {
  std::string known;
  for (const Maker& maker : kMakers) {
    if (maker.name == name) {
      std::unique_ptr<Prefetcher> prefetcher = maker.make(config);
      if (prefetcher != nullptr) prefetcher->Reset();
      return prefetcher;
    }
    known += (known.empty() ? "" : ", ") + std::string(maker.name);
  }
  ThrowBadInput("unknown prefetcher '{}': expected one of {}", name, known);
}

}  // namespace flagstone
