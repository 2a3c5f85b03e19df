// A launch in an order, step by step of its TBs, on a machine of a few numbers: the data that move
// between the levels, and the time that this takes.
//
// Each TB in flight has a time of its own. The one whose time is the earliest does its next step:
// it waits for a turn on its SM, looks its data up in the SM's L1 and in the L2, and for what is
// not there it waits for the latency and for the level's bandwidth. A TB that ends makes room for
// the next one, as the hardware does. So TBs that share stay together or drift apart as their
// misses let them.
#ifndef FLAGSTONE_APP_ORDER_TRAFFIC_MODEL_H_
#define FLAGSTONE_APP_ORDER_TRAFFIC_MODEL_H_

#include <cstdint>
#include <memory>
#include <span>

#include "analyzer/replay/replay.h"
#include "app/order/tb_order.h"
#include "app/order/touch_plan.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// Times in core cycles, rates in bytes per core cycle.
struct ModelMachine {
  OrderMachine shape;
  uint64_t l1_bytes = 0;  // of an SM; 0: loads go past it
  uint32_t l1_ways = 1;
  bool stores_evict = true;  // what is written leaves the L1
  uint64_t l2_bytes = 0;     // of the machine
  bool warm = false;         // the L2 begins with the end of what the launch touches, ...
  uint64_t warm_from = 0;    // ... of which what lies below this address has left it
  uint32_t nodes = 1;        // that TBs are dealt to, each with its part of the L2
  bool caches_remote = true;
  double l1_latency = 30, l2_latency = 200, dram_latency = 200;  // each beyond the one before
  double l2_rate = 1, dram_rate = 1, remote_rate = 1;            // of all parts together
  uint32_t sms_per_port = 1;
  double read_port_rate = 1, write_port_rate = 1;  // of an SM's port
  uint32_t slices = 1, channels = 1;               // of the L2 and of DRAM, and what each moves
  double slice_rate = 1, channel_rate = 1;
  double issue = 0;   // of a TB's whole work, on its SM, which does one TB's at a time
  double chain = 0;   // of a warp's instructions, one waiting for the other, but for loads
  double rounds = 0;  // of its loads, one after the other
};

// Bytes.
struct Traffic {
  double l2_reads = 0, l2_writes = 0;
  double dram_reads = 0, dram_writes = 0;
  double remote = 0;  // between nodes
  double cycles = 0;  // that all of it takes
  double uneven = 0;  // cycles of these that TBs wait for one slice or channel more than for all

  double L2() const { return l2_reads + l2_writes; }
  double Dram() const { return dram_reads + dram_writes; }
};

// Goes through orders one after the other. The plan must outlive it.
class TrafficModel {
 public:
  TrafficModel(const TouchPlan& plan, const ModelMachine& machine);
  ~TrafficModel();

  // `order`: the work of TB 0, 1, ..., of all TBs or the first of them; the result is that of `tbs`
  // (0: of as many as there are).
  Traffic Run(std::span<const uint32_t> order, uint64_t tbs = 0);
  // Groups in the place of an order: each SM runs one, and the next that is left when all TBs of
  // its own have begun.
  Traffic Run(const TbGroups& groups, const HandOut& hand_out);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_TRAFFIC_MODEL_H_
