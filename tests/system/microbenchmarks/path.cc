#include "tests/system/microbenchmarks/path.h"

#include <algorithm>

#include "gpu_model/memory/packet.h"

namespace flagstone::microbenchmark {
namespace {

// Cycles of `from` MHz in core cycles.
double InCore(const MachineConfig& machine, double cycles, uint32_t from) {
  return cycles * machine.clock.core / from;
}

// A reply has come with its last flit. The load/store unit takes a cycle.
double RoundTrip(const MachineConfig& machine, double reply_flits) {
  return DependentIssue(machine, 1) +
         InCore(machine, 2 * machine.interconnect.latency + reply_flits - 1,
                machine.clock.interconnect) +
         InCore(machine, machine.l2.pipeline_latency, machine.clock.l2);
}

}  // namespace

// The warp scheduler sees a result in the last cycle of the writeback, and its grant acts in the
// next.
double DependentIssue(const MachineConfig& machine, double latency) {
  return latency + machine.sm.writeback_latency;
}

bool LoadsUseL1(const MachineConfig& machine) { return machine.sm.l1.global == L1Global::kCached; }

uint32_t FetchedBytes(const MachineConfig& machine) {
  return LoadsUseL1(machine) ? machine.sm.l1.sector_bytes : kSectorBytes;
}

uint32_t ReplyFlits(const MachineConfig& machine, uint32_t bytes) {
  const uint32_t flit = machine.interconnect.flit_bytes;
  const uint32_t most = machine.l2.reply_sectors * kSectorBytes;  // in one packet
  uint32_t flits = 0;
  for (uint32_t left = bytes; left > 0; left -= std::min(left, most)) {
    flits += (kHeaderBytes + std::min(left, most) + flit - 1) / flit;
  }
  return flits;
}

double L2RoundTrip(const MachineConfig& machine) {
  const uint32_t through_l1 = LoadsUseL1(machine) ? machine.sm.l1.miss_latency : 0;
  return through_l1 + RoundTrip(machine, ReplyFlits(machine, FetchedBytes(machine)));
}

double AtomicRoundTrip(const MachineConfig& machine, uint32_t lanes) {
  // A sector goes there and comes back.
  const double flits = ReplyFlits(machine, kSectorBytes);
  return RoundTrip(machine, flits) + InCore(machine, flits - 1, machine.clock.interconnect) +
         InCore(machine, (lanes - 1.0) * machine.l2.atomic_interval, machine.clock.l2);
}

double DramRoundTrip(const MachineConfig& machine, bool other_row_open) {
  const DramConfig& dram = machine.dram;
  const double burst = (FetchedBytes(machine) + dram.bus_bytes - 1) / dram.bus_bytes;
  double cycles = dram.t_cl + burst;
  if (other_row_open) cycles += dram.t_rp + dram.t_rcd;
  return L2RoundTrip(machine) + InCore(machine, cycles, machine.clock.dram) + dram.fixed_latency;
}

double ClockSlack(const MachineConfig& machine) {
  const bool one =
      machine.clock.core == machine.clock.interconnect && machine.clock.core == machine.clock.l2;
  return one ? 0 : 3;
}

double DramClockSlack(const MachineConfig& machine) {
  // Into the channel's queue and out of it: an edge of either clock each.
  return ClockSlack(machine) + 3 * (1 + InCore(machine, 1, machine.clock.dram));
}

}  // namespace flagstone::microbenchmark
