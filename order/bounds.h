// What a launch needs at least of each part of a machine, and so how long it takes at least: what
// an order can gain shows here.
#ifndef FLAGSTONE_ORDER_BOUNDS_H_
#define FLAGSTONE_ORDER_BOUNDS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "analyzer/address/address_form.h"
#include "gpu_model/machines/machine.h"
#include "launch/kernel_launch.h"
#include "order/traffic_model.h"

namespace flagstone {

// What a launch does in any order, from its code and trip counts; a loop whose trip count is not
// known counts as one turn.
struct LaunchWork {
  double warp_instructions = 0;
  double requested_bytes = 0;  // by global loads, after coalescing
  double requested_lines = 0;  // by all accesses: looked up in L1s one by one
  double rounds = 0;           // loads that a thread waits for one after the other
};
LaunchWork FindWork(const KernelLaunch& launch, const AddressAnalysis& addresses);

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
                              const LaunchWork& work, const KernelLaunch& launch);
// Takes an L1 that thrashes for a smaller one: no barrier holds the kernel's warps together, and
// `turn_bytes`, what the TBs on an SM read in a turn of their loops, is much for an L1 of few ways.
void ShrinkThrashedL1(uint64_t turn_bytes, const ptx::Kernel& kernel, const MachineConfig& machine,
                      ModelMachine* model);
TimeBounds FindBounds(const ModelMachine& machine, const LaunchWork& work, const Traffic& traffic,
                      uint64_t tbs);

}  // namespace flagstone

#endif  // FLAGSTONE_ORDER_BOUNDS_H_
