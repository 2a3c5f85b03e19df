// Orders of app/flow/studies/order_study.h written back into the kernels.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "app/flow/studies/order_study.h"
#include "app/flow/studies/tile_launches.h"
#include "app/order/emit_ptx.h"
#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

// A launch in another order may not take this much longer, or it waits for TBs that come later.
constexpr uint64_t kPatience = 4;
constexpr uint64_t kSlack = 1'000'000;

[[noreturn]] void ThrowDepends(const KernelLaunch& launch, const TbOrder& order,
                               const std::string& why) {
  ThrowRunFailed(
      "kernel '{}' depends on the order of its TBs: under order '{}' {}: expected a kernel without "
      "flags between TBs, atomics on floats or places given out by atomics",
      launch.kernel->name, order.name, why);
}

// The first buffer, beside symbols that only one has, that differs.
std::string Difference(const DeviceMemory& a, const DeviceMemory& b) {
  for (const DeviceMemory::Region& region : a.regions()) {
    for (const DeviceMemory::Region& other : b.regions()) {
      if (other.name != region.name || other.size != region.size || region.size == 0) continue;
      const std::byte* x = a.At(region.address);
      const std::byte* y = b.At(other.address);
      if (std::memcmp(x, y, region.size) == 0) break;
      const auto at = std::mismatch(x, x + region.size, y).first - x;
      return fmt::format("buffer '{}' differs from byte {} on", region.name, at);
    }
  }
  return "";
}

void CheckEqual(const Workload& original, const Workload& ordered, const TbOrder& order,
                uint64_t max_instructions) {
  BoundWorkload a = Bind(original), b = Bind(ordered);
  LaunchSequence sequence_a(&a), sequence_b(&b);
  while (const KernelLaunch* launch = sequence_a.Next()) {
    const KernelLaunch* other = sequence_b.Next();
    if (other == nullptr) ThrowDepends(*launch, order, "there are fewer launches");
    FunctionalControl control;
    control.max_warp_instructions = max_instructions;
    const FunctionalCounts counts = RunFunctionally(*launch, &a.memory, nullptr, nullptr, control);
    control.max_warp_instructions = kPatience * counts.warp_instructions + kSlack;
    try {
      RunFunctionally(*other, &b.memory, nullptr, nullptr, control);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kRunFailed) throw;
      ThrowDepends(*launch, order, fmt::format("it fails ({})", error.what()));
    }
    const std::string difference = Difference(a.memory, b.memory);
    if (!difference.empty()) ThrowDepends(*launch, order, difference);
  }
}

}  // namespace

std::vector<EmittedPtx> EmitOrder(const OrderRequest& request, const Workload& workload,
                                  const OrderStudy& study, const TbOrder& order) {
  std::vector<std::map<std::string, OrderCode>> orders(workload.modules.size());
  for (size_t i = 0; i < study.launches.size(); ++i) {
    const OrderedLaunch& launch = study.launches[i];
    if (launch.looping_tbs != 0) continue;
    orders[workload.launch_modules[i]].try_emplace(
        launch.entry, MakeOrderCode(order, launch.machine, launch.grid));
  }
  const std::vector<std::string> texts = WithTileOrders(workload, study, order);
  std::vector<EmittedPtx> emitted;
  Workload ordered = workload;
  for (size_t m = 0; m < workload.modules.size(); ++m) {
    const std::string& file = workload.modules[m]->file;
    emitted.push_back({file, ApplyOrder(texts[m], file, orders[m])});
    ordered.modules[m] = ptx::Parse(emitted.back().text, file);
  }
  CheckEqual(workload, ordered, order, request.options.max_instructions);
  return emitted;
}

}  // namespace flagstone
