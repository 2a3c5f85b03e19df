#include "gpu_model/energy/launch_energy.h"

#include <cmath>

#include "gpu_model/memory/packet.h"

namespace flagstone {
namespace {

constexpr double kFjInPj = 1000;

uint64_t Rounded(double pj) { return static_cast<uint64_t>(std::llround(pj)); }

// Of events that cost so many fJ each.
double Pj(uint64_t events, uint32_t each) { return static_cast<double>(events) * each / kFjInPj; }

double OfOperations(const SmStatistics& sm, const EnergyConfig& energy) {
  const auto of = [&](LaneWork work, uint32_t each) {
    return Pj(sm.operations[static_cast<size_t>(work)], each);
  };
  return of(LaneWork::kInteger, energy.integer) + of(LaneWork::kIntMul, energy.int_mul) +
         of(LaneWork::kF32, energy.f32) + of(LaneWork::kF32Fma, energy.f32_fma) +
         of(LaneWork::kF64, energy.f64) + of(LaneWork::kSpecial, energy.special) +
         of(LaneWork::kTensor, energy.tensor);
}

// Sectors of all L1s. A cache without sectors is read and filled by the line; the caches of
// instructions, constants and textures are such.
uint64_t L1Sectors(const LaunchStatistics& launch, const CacheConfig& l1) {
  constexpr uint64_t kLineSectors = kLineBytes / kSectorBytes;
  const uint64_t of_access = l1.sector_bytes / kSectorBytes;
  uint64_t sectors = of_access * (launch.l1.accesses + launch.l1.misses);
  for (const ReadOnlyCacheStatistics* cache :
       {&launch.sm.instruction_cache, &launch.sm.const_cache, &launch.sm.texture_cache}) {
    sectors += kLineSectors * (cache->accesses + cache->misses);
  }
  return sectors;
}

uint64_t NetworkBytes(const LaunchStatistics& launch, const MachineConfig& machine) {
  const uint64_t flits = launch.noc.request.flits + launch.noc.reply.flits;
  return flits * machine.interconnect.flit_bytes + launch.numa.ring.bytes +
         launch.numa.crossbar.bytes;
}

void AddDram(const DramStatistics& dram, const MachineConfig& machine, double ns,
             EnergyStatistics* energy) {
  const EnergyConfig& each = machine.energy;
  const double channels = machine.dram.channels;
  energy->dram.activate = Rounded(Pj(dram.activations, each.dram_activate));
  energy->dram.read = Rounded(Pj(dram.reads, each.dram_read));
  energy->dram.write = Rounded(Pj(dram.writes, each.dram_write));
  energy->dram.refresh =
      Rounded(channels * ns / each.dram_refresh_ns * each.dram_refresh / kFjInPj);
  energy->dram.idle = Rounded(channels * ns * each.dram_static_mw);  // mW * ns = pJ
}

}  // namespace

EnergyStatistics EnergyOf(const LaunchStatistics& launch, const MachineConfig& machine,
                          bool prefetches) {
  const EnergyConfig& each = machine.energy;
  const double process = each.process_percent / 100.0;
  const double ns = static_cast<double>(launch.cycles) * 1000 / machine.clock.core;
  const uint64_t sms = machine.sm.count;
  EnergyStatistics energy;
  const auto on_chip = [&](double pj) { return Rounded(process * pj); };
  energy.instructions = on_chip(Pj(launch.warp_instructions, each.instruction));
  energy.operations = on_chip(OfOperations(launch.sm, each));
  energy.registers = on_chip(Pj(launch.sm.operands, each.operand));
  energy.shared = on_chip(Pj(launch.sm.shared_cycles, each.shared));
  energy.l1 = on_chip(Pj(L1Sectors(launch, machine.sm.l1), each.l1_sector));
  energy.noc = on_chip(Pj(NetworkBytes(launch, machine), each.noc_byte));
  energy.l2 =
      on_chip(Pj(launch.l2.accesses + launch.dram.reads + launch.dram.writes, each.l2_sector));
  AddDram(launch.dram, machine, ns, &energy);
  energy.blocks = on_chip(Pj(machine.numa.Nodes() * launch.cycles, each.tb_scheduler_cycle) +
                          (prefetches ? Pj(sms * launch.cycles, each.prefetcher_cycle) : 0));
  energy.leakage =
      Rounded(ns * (static_cast<double>(sms) * each.sm_static_mw + each.chip_static_mw));
  energy.total = energy.instructions + energy.operations + energy.registers + energy.shared +
                 energy.l1 + energy.noc + energy.l2 + energy.dram.activate + energy.dram.read +
                 energy.dram.write + energy.dram.refresh + energy.dram.idle + energy.blocks +
                 energy.leakage;
  return energy;
}

}  // namespace flagstone
