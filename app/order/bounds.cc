#include "app/order/bounds.h"

#include <algorithm>
#include <cmath>

#include "gpu_model/memory/packet.h"

namespace flagstone {
namespace {

// Of what its ports could move, the network moves so much (docs/machines.md).
constexpr double kNetworkYield = 0.6;
constexpr double kDramYield = 0.8;  // rows have to be opened (assumption)

// Bytes of data that a port moves in a core cycle, in packets of so many sectors.
double PortRate(uint32_t sectors, const MachineConfig& machine) {
  const double bytes = kSectorBytes * sectors;
  const double flits = std::ceil((kHeaderBytes + bytes) / machine.interconnect.flit_bytes);
  return bytes / flits * machine.clock.interconnect / machine.clock.core;
}

double PerCycle(uint32_t parts, uint32_t bytes, uint32_t clock, const MachineConfig& machine) {
  return static_cast<double>(parts) * bytes * clock / machine.clock.core;
}

}  // namespace

Level TimeBounds::Limit() const {
  return static_cast<Level>(std::max_element(of.begin(), of.end()) - of.begin());
}

ModelMachine MakeModelMachine(const MachineConfig& machine, const OrderMachine& shape,
                              const SmWork& work, const KernelLaunch& launch) {
  const double warps = launch.WarpsPerTb();
  ModelMachine model;
  model.shape = shape;
  const bool l1 = machine.sm.l1.global == L1Global::kCached;
  model.l1_bytes = l1 ? uint64_t{machine.sm.l1.size_kib} * 1024 : 0;
  model.l1_ways = machine.sm.l1.ways;
  model.stores_evict = machine.sm.l1.write_policy == WritePolicy::kWriteThroughEvict;
  model.l2_bytes = uint64_t{machine.l2.slices} * machine.l2.cache.size_kib * 1024;
  model.nodes = machine.numa.Nodes();
  model.caches_remote = machine.numa.remote_caching != 0;
  model.l1_latency = machine.sm.l1.hit_latency;
  model.l2_latency = 2.0 * machine.interconnect.latency + machine.l2.pipeline_latency;
  model.dram_latency =
      machine.dram.fixed_latency + static_cast<double>(machine.dram.t_rcd + machine.dram.t_cl) *
                                       machine.clock.core / machine.clock.dram;
  const double ports =
      PerCycle(machine.sm.count / machine.interconnect.sms_per_port,
               machine.interconnect.flit_bytes, machine.clock.interconnect, machine);
  const double slice = PerCycle(1, kSectorBytes, machine.clock.l2, machine);
  const double channel = PerCycle(1, machine.dram.bus_bytes, machine.clock.dram, machine);
  model.l2_rate = std::min(ports, machine.l2.slices * slice) * kNetworkYield;
  model.dram_rate = kDramYield * machine.dram.channels * channel;
  model.sms_per_port = machine.interconnect.sms_per_port;
  model.read_port_rate = PortRate(machine.l2.reply_sectors, machine);
  model.write_port_rate = PortRate(machine.sm.request_sectors, machine);
  model.slices = machine.l2.slices;
  model.channels = machine.dram.channels;
  model.slice_rate = slice;
  model.channel_rate = channel;
  model.remote_rate = machine.numa.gpus > 1
                          ? PerCycle(machine.numa.gpus, machine.numa.switch_bytes,
                                     machine.clock.interconnect, machine)
                          : PerCycle(machine.numa.Nodes(), 2 * machine.numa.ring_bytes,
                                     machine.clock.interconnect, machine);
  const double schedulers = machine.sm.schedulers;
  model.issue = warps * std::max({work.instructions / (schedulers * machine.sm.issue_width),
                                  work.pipe / schedulers, work.load_store});
  model.chain = work.chain;
  model.rounds = work.rounds;
  return model;
}

TimeBounds FindBounds(const ModelMachine& machine, const SmWork& work, const Traffic& traffic,
                      const KernelLaunch& launch) {
  TimeBounds bounds;
  const auto set = [&](Level level, double cycles) {
    bounds.of[static_cast<size_t>(level)] = cycles;
  };
  const auto count = static_cast<double>(launch.TbCount());
  set(Level::kIssue, machine.issue * count / std::min<double>(machine.shape.sms, count));
  set(Level::kL2, traffic.L2() / machine.l2_rate);
  set(Level::kDram, traffic.Dram() / machine.dram_rate);
  if (machine.nodes > 1) set(Level::kRemote, traffic.remote / machine.remote_rate);
  const double requested = std::max(count * launch.WarpsPerTb() * work.requested_bytes, 1.0);
  const double latency = machine.l1_latency +
                         std::min(1.0, traffic.l2_reads / requested) * machine.l2_latency +
                         std::min(1.0, traffic.dram_reads / requested) * machine.dram_latency;
  set(Level::kLatency,
      std::max(1.0, count / machine.shape.Window()) * (work.chain + work.rounds * latency));
  return bounds;
}

}  // namespace flagstone
