// What a launch needs at least of each part of a machine, and so how long it takes at least: what
// an order can gain shows here.
#ifndef FLAGSTONE_APP_ORDER_BOUNDS_H_
#define FLAGSTONE_APP_ORDER_BOUNDS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "app/order/sm_work.h"
#include "app/order/traffic_model.h"
#include "gpu_model/machines/machine.h"

namespace flagstone {

enum class Level : uint8_t { kIssue, kLatency, kL2, kDram, kRemote };
inline constexpr std::array<std::string_view, 5> kLevelNames = {"issue", "latency", "l2", "dram",
                                                                "remote"};

// Core cycles.
struct TimeBounds {
  std::array<double, kLevelNames.size()> of = {};  // by Level
  Level Limit() const;                             // the largest
};
// The machine as the traffic model sees it, but for what the L2 holds at first.
ModelMachine MakeModelMachine(const MachineConfig& machine, const OrderMachine& shape,
                              const SmWork& work, const KernelLaunch& launch);
TimeBounds FindBounds(const ModelMachine& machine, const SmWork& work, const Traffic& traffic,
                      const KernelLaunch& launch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_BOUNDS_H_
