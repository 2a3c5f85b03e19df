#include "order/bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/address/loop_forest.h"
#include "ptx/control_flow.h"
#include "ptx/kernel.h"

namespace flagstone {
namespace {

constexpr double kWarp = 32;
constexpr double kSectorBytes = 32;
// Of what its ports could move, the network moves so much (docs/machines.md).
constexpr double kNetworkYield = 0.6;
constexpr double kDependent = 0.5;  // of instructions, that wait for the one before (assumption)
constexpr double kDramYield = 0.8;  // rows have to be opened (assumption)

// How often each loop of the analysis turns in all, with those around it.
std::vector<double> TurnsOf(const AddressAnalysis& addresses) {
  std::vector<double> turns(addresses.loops.size(), 1);
  for (size_t l = 0; l < turns.size(); ++l) {
    const CountedLoop& loop = addresses.loops[l];
    if (loop.known || loop.bounded) turns[l] = static_cast<double>(loop.trip_count);
    if (loop.parent < l) turns[l] *= turns[loop.parent];
  }
  return turns;
}

// Bytes that a warp asks for in one such access.
double WarpBytes(const AddressForm& access) {
  if (access.pattern != AddressClass::kAffine) return kWarp * kSectorBytes;
  const double stride = std::abs(static_cast<double>(access.form.tid[0]));
  if (stride == 0) return kSectorBytes;
  return kWarp * std::clamp(stride, static_cast<double>(access.bytes), kSectorBytes);
}

// Lines that a warp looks up in one such access.
double WarpLines(const AddressForm& access) {
  constexpr double kLineBytes = 128;
  if (access.pattern != AddressClass::kAffine) return kWarp;
  const double stride = std::abs(static_cast<double>(access.form.tid[0]));
  return std::clamp(kWarp * stride / kLineBytes, 1.0, kWarp);
}

double PerCycle(uint32_t parts, uint32_t bytes, uint32_t clock, const MachineConfig& machine) {
  return static_cast<double>(parts) * bytes * clock / machine.clock.core;
}

}  // namespace

LaunchWork FindWork(const KernelLaunch& launch, const AddressAnalysis& addresses) {
  LaunchWork work;
  const std::vector<double> turns = TurnsOf(addresses);
  const ptx::ControlFlow flow(*launch.kernel);
  const LoopForest forest(flow);
  const auto warps = static_cast<double>(launch.TbCount() * launch.WarpsPerTb());
  for (const ptx::BasicBlock& block : flow.blocks()) {
    uint32_t loop = forest.InnermostOf(flow.BlockOf(block.begin));
    double times = 1;
    if (loop != kNoLoop) {
      const uint32_t header = flow.blocks()[forest.loops()[loop].header].begin;
      for (size_t l = 0; l < turns.size(); ++l) {
        if (addresses.loops[l].header_pc == header) times = turns[l];
      }
    }
    work.warp_instructions += warps * times * (block.end - block.begin);
  }
  std::vector<bool> waits(addresses.loops.size(), false);
  bool waits_outside = false;
  for (const AddressForm& access : addresses.accesses) {
    work.requested_lines +=
        warps * WarpLines(access) * (access.loops.empty() ? 1.0 : turns[access.loops.back()]);
    if (access.is_store && !access.is_atomic) continue;
    const bool inside = !access.loops.empty();
    work.requested_bytes += warps * WarpBytes(access) * (inside ? turns[access.loops.back()] : 1.0);
    if (inside) {
      waits[access.loops.back()] = true;
    } else {
      waits_outside = true;
    }
  }
  for (size_t l = 0; l < waits.size(); ++l) work.rounds += waits[l] ? turns[l] : 0;
  work.rounds += waits_outside ? 1 : 0;
  return work;
}

Level TimeBounds::Limit() const {
  return static_cast<Level>(std::max_element(of.begin(), of.end()) - of.begin());
}

ModelMachine MakeModelMachine(const MachineConfig& machine, const OrderMachine& shape,
                              const LaunchWork& work, const KernelLaunch& launch) {
  const uint64_t tbs = launch.TbCount();
  const double warps_per_tb = launch.WarpsPerTb();
  ModelMachine model;
  model.shape = shape;
  const bool l1 = machine.sm.l1.global == L1Global::kCached;
  model.l1_bytes = l1 ? uint64_t{machine.sm.l1.size_kib} * 1024 : 0;
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
  const double slices = PerCycle(machine.l2.slices, kSectorBytes, machine.clock.l2, machine);
  model.l2_rate = std::min(ports, slices) * kNetworkYield;
  model.dram_rate = kDramYield * PerCycle(machine.dram.channels, machine.dram.bus_bytes,
                                          machine.clock.dram, machine);
  model.remote_rate = machine.numa.gpus > 1
                          ? PerCycle(machine.numa.gpus, machine.numa.switch_bytes,
                                     machine.clock.interconnect, machine)
                          : PerCycle(machine.numa.Nodes(), 2 * machine.numa.ring_bytes,
                                     machine.clock.interconnect, machine);
  const auto count = static_cast<double>(tbs);
  model.issue = std::max(work.warp_instructions / (machine.sm.schedulers * machine.sm.issue_width),
                         work.requested_lines) /
                count;
  model.chain = work.warp_instructions / count / warps_per_tb * kDependent *
                (machine.sm.f32.latency + machine.sm.writeback_latency);
  return model;
}

// Warps that no barrier holds together drift apart. Where a turn of the TBs on an SM takes more
// than half of an L1 of few ways, little stays there until it is asked for again.
void ShrinkThrashedL1(uint64_t turn_bytes, const ptx::Kernel& kernel, const MachineConfig& machine,
                      ModelMachine* model) {
  constexpr uint32_t kFewWays = 8;
  constexpr uint64_t kThrashed = 4;  // by which it counts as smaller (assumption)
  if (machine.sm.l1.ways > kFewWays) return;
  for (const ptx::Instruction& instruction : kernel.instructions) {
    if (instruction.opcode == ptx::Opcode::kBar) return;
  }
  if (2 * turn_bytes > model->l1_bytes) model->l1_bytes /= kThrashed;
}

TimeBounds FindBounds(const ModelMachine& machine, const LaunchWork& work, const Traffic& traffic,
                      uint64_t tbs) {
  TimeBounds bounds;
  const auto set = [&](Level level, double cycles) {
    bounds.of[static_cast<size_t>(level)] = cycles;
  };
  const auto count = static_cast<double>(tbs);
  set(Level::kIssue, machine.issue * count / std::min<double>(machine.shape.sms, count));
  set(Level::kL2, traffic.L2() / machine.l2_rate);
  set(Level::kDram, traffic.Dram() / machine.dram_rate);
  if (machine.nodes > 1) set(Level::kRemote, traffic.remote / machine.remote_rate);
  const double requested = std::max(work.requested_bytes, 1.0);
  const double latency = machine.l1_latency +
                         std::min(1.0, traffic.l2_reads / requested) * machine.l2_latency +
                         std::min(1.0, traffic.dram_reads / requested) * machine.dram_latency;
  set(Level::kLatency, std::max(1.0, count / machine.shape.Window()) * work.rounds * latency);
  return bounds;
}

}  // namespace flagstone
