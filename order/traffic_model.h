// The data that move between the levels of a machine when a launch runs in an order: LRU caches and
// TBs in flight that go through their steps together.
#ifndef FLAGSTONE_ORDER_TRAFFIC_MODEL_H_
#define FLAGSTONE_ORDER_TRAFFIC_MODEL_H_

#include <cstdint>
#include <span>

#include "order/tb_order.h"
#include "order/touch_plan.h"

namespace flagstone {

struct CacheLevels {
  OrderMachine machine;
  uint64_t l1_bytes = 0;  // of an SM; 0: loads go past it
  bool stores_evict = true;  // a line of an L1 that is written leaves it
  uint64_t l2_bytes = 0;  // of the machine
  uint32_t nodes = 1;     // that TBs are dealt to, each with its part of the L2
  bool caches_remote = true;
  bool warm = false;  // the L2 begins with the end of what the launch touches
};

// Bytes.
struct Traffic {
  double l2_reads = 0, l2_writes = 0;
  double dram_reads = 0, dram_writes = 0;
  double remote = 0;  // between nodes

  double L2() const { return l2_reads + l2_writes; }
  double Dram() const { return dram_reads + dram_writes; }
};

// What a launch touches, twice: coarsely for the L2 and all SMs, and turn by turn of its loops for the
// L1s of some SMs, which are too small to hold what a coarse step touches.
struct LaunchTouches {
  TouchPlan coarse, fine;
  uint64_t fine_touches = 0;  // fine.Touches()
};
LaunchTouches FindTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                          uint32_t unit_bytes, const KnownAccesses* known);

// `order`: the work of TB 0, 1, ...
Traffic PredictTraffic(const LaunchTouches& touches, std::span<const uint32_t> order,
                       const CacheLevels& levels);

}  // namespace flagstone

#endif  // FLAGSTONE_ORDER_TRAFFIC_MODEL_H_
