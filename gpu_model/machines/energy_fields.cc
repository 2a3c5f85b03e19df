// The keys of a machine's table of energies.
#include "gpu_model/machines/energy_fields.h"

namespace flagstone {
namespace {

constexpr uint64_t kMost = 1'000'000'000;

constexpr MachineField Energy(std::string_view key, std::string_view unit,
                              std::string_view sentence, uint32_t* (*get)(MachineConfig&),
                              uint64_t min = 0) {
  MachineField field = {key, unit, sentence, get, nullptr, nullptr, nullptr, min, kMost};
  field.has_default = true;
  return field;
}

constexpr MachineField kEnergyFields[] = {
    Energy("energy.process_percent", "%", "Energies of events on the chip, of those at 45 nm",
           [](MachineConfig& m) { return &m.energy.process_percent; }),
    Energy("energy.instruction", "fJ", "Fetch, decode and scheduling of a warp instruction",
           [](MachineConfig& m) { return &m.energy.instruction; }),
    Energy("energy.operand", "fJ", "32 bits of a lane, from or to the register file",
           [](MachineConfig& m) { return &m.energy.operand; }),
    Energy("energy.integer", "fJ", "Lane's logic, addition, comparison, shuffle or address",
           [](MachineConfig& m) { return &m.energy.integer; }),
    Energy("energy.int_mul", "fJ", "Lane's integer product",
           [](MachineConfig& m) { return &m.energy.int_mul; }),
    Energy("energy.f32", "fJ", "Lane's f32 addition, product or comparison",
           [](MachineConfig& m) { return &m.energy.f32; }),
    Energy("energy.f32_fma", "fJ", "Lane's f32 multiply-add",
           [](MachineConfig& m) { return &m.energy.f32_fma; }),
    Energy("energy.f64", "fJ", "Lane's f64 operation",
           [](MachineConfig& m) { return &m.energy.f64; }),
    Energy("energy.special", "fJ", "Lane's division, root or special function",
           [](MachineConfig& m) { return &m.energy.special; }),
    Energy("energy.tensor", "fJ", "Lane's part of an m16n8k16 product of f16",
           [](MachineConfig& m) { return &m.energy.tensor; }),
    Energy("energy.shared", "fJ", "Access to all banks of shared memory",
           [](MachineConfig& m) { return &m.energy.shared; }),
    Energy("energy.l1_sector", "fJ", "32 B in an L1",
           [](MachineConfig& m) { return &m.energy.l1_sector; }),
    Energy("energy.noc_byte", "fJ", "A byte through the interconnect",
           [](MachineConfig& m) { return &m.energy.noc_byte; }),
    Energy("energy.l2_sector", "fJ", "32 B in the L2",
           [](MachineConfig& m) { return &m.energy.l2_sector; }),
    Energy("energy.dram_activate", "fJ", "Opening and closing a row of a channel",
           [](MachineConfig& m) { return &m.energy.dram_activate; }),
    Energy("energy.dram_read", "fJ", "32 B from a row of a channel",
           [](MachineConfig& m) { return &m.energy.dram_read; }),
    Energy("energy.dram_write", "fJ", "32 B into a row of a channel",
           [](MachineConfig& m) { return &m.energy.dram_write; }),
    Energy("energy.dram_refresh", "fJ", "Refresh of a channel",
           [](MachineConfig& m) { return &m.energy.dram_refresh; }),
    Energy(
        "energy.dram_refresh_ns", "ns", "From one refresh of a channel to the next",
        [](MachineConfig& m) { return &m.energy.dram_refresh_ns; }, 1),
    Energy("energy.dram_static_mw", "mW", "A channel with open rows, doing nothing",
           [](MachineConfig& m) { return &m.energy.dram_static_mw; }),
    Energy("energy.sm_static_mw", "mW", "Leakage of an SM",
           [](MachineConfig& m) { return &m.energy.sm_static_mw; }),
    Energy("energy.chip_static_mw", "mW", "Leakage of all but SMs and DRAM",
           [](MachineConfig& m) { return &m.energy.chip_static_mw; }),
    Energy("energy.tb_scheduler_cycle", "fJ", "Cycle of the TB scheduler",
           [](MachineConfig& m) { return &m.energy.tb_scheduler_cycle; }),
    Energy("energy.prefetcher_cycle", "fJ", "Cycle of an SM's prefetcher",
           [](MachineConfig& m) { return &m.energy.prefetcher_cycle; }),
};

}  // namespace

std::span<const MachineField> EnergyFields() { return kEnergyFields; }

}  // namespace flagstone
