#include "app/flow/studies/tile_launches.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/slice_evaluator.h"
#include "base/file.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

const ptx::Kernel& KernelOf(const ptx::Module& module, const std::string& name) {
  return **std::find_if(module.kernels.begin(), module.kernels.end(),
                        [&](const auto& kernel) { return kernel->name == name; });
}

// How many TBs of `one_turn` find a tile: all ids up to the last one that does.
std::optional<uint32_t> CountTiles(KernelLaunch one_turn, const TileLoop& loop,
                                   const DeviceMemory& memory) {
  constexpr uint32_t kMostTiles = 1U << 24;
  constexpr uint64_t kSoon = 1 << 20;  // instructions of threads
  one_turn.grid.x = kMostTiles;
  const AddressAnalysis addresses = AnalyzeAddresses(one_turn, memory);
  const KernelStructure structure(*one_turn.kernel);
  SliceEvaluator evaluator(one_turn, structure, loop.accesses, addresses.constants.get());
  if (!evaluator.HasAccesses()) return std::nullopt;
  const auto has_tile = [&](uint32_t tb) {
    bool has = false;
    evaluator.SetStepLimit(evaluator.steps() + kSoon);
    evaluator.VisitWarp(tb, 0, [&](const SliceEvaluator::Together&) { has = true; });
    return has;
  };
  uint32_t least = 0, most = 1;
  while (most < kMostTiles && has_tile(most)) {
    least = most;
    most *= 2;
  }
  if (most >= kMostTiles || !has_tile(0)) return std::nullopt;
  while (most - least > 1) {
    const uint32_t middle = least + (most - least) / 2;
    (has_tile(middle) ? least : most) = middle;
  }
  return most;
}

}  // namespace

TileLaunches::TileLaunches(const Workload& workload, BoundWorkload* bound) {
  for (size_t i = 0; i < bound->launches.size(); ++i) {
    KernelLaunch& launch = bound->launches[i];
    std::optional<TileLoop> loop = FindTileLoop(launch);
    if (!loop) continue;
    const std::string& file = workload.modules[workload.launch_modules[i]]->file;
    std::shared_ptr<const ptx::Module>& module = modules_[launch.kernel];
    if (module == nullptr) {
      module = ptx::Parse(WithOneTurn(ReadFile(file), *launch.kernel, *loop), file);
    }
    KernelLaunch one_turn = launch;
    one_turn.module = module.get();
    one_turn.kernel = &KernelOf(*module, launch.kernel->name);
    const std::optional<uint32_t> tiles = CountTiles(one_turn, *loop, bound->memory);
    if (!tiles || *tiles <= launch.grid.x) continue;
    launches_[i] = {std::move(*loop), launch.grid.x};
    one_turn.grid.x = *tiles;
    launch = std::move(one_turn);
  }
}

const TileLaunches::Looping* TileLaunches::Of(size_t launch) const {
  const auto found = launches_.find(launch);
  return found == launches_.end() ? nullptr : &found->second;
}

std::vector<std::string> WithTileOrders(const Workload& workload, const OrderStudy& study,
                                        const TbOrder& order) {
  std::vector<std::string> texts;
  for (const auto& module : workload.modules) texts.push_back(ReadFile(module->file));
  if (order.name == "identity") return texts;
  const BoundWorkload bound = BindAddresses(workload);
  std::set<const ptx::Kernel*> done;
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    const OrderedLaunch& known = study.launches[i];
    if (known.looping_tbs == 0 || !done.insert(bound.launches[i].kernel).second) continue;
    const size_t m = workload.launch_modules[i];
    const std::string& file = workload.modules[m]->file;
    // Another kernel's order may have moved this one's lines.
    const auto module = ptx::Parse(texts[m], file);
    KernelLaunch launch = bound.launches[i];
    launch.kernel = &KernelOf(*module, launch.kernel->name);
    texts[m] = WithTileOrder(texts[m], file, *launch.kernel, *FindTileLoop(launch), order.name,
                             order.Table(known.grid, known.machine));
  }
  return texts;
}

}  // namespace flagstone
