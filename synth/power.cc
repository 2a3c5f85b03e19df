#include "synth/power.h"

#include <algorithm>

namespace flagstone {

Energy MeasureEnergy(const MappedBlock& mapped, const CellLibrary& library, const Replay& replay,
                     double wire_ff) {
  const Netlist& netlist = mapped.netlist;
  const double volt2 = library.voltage * library.voltage;
  Energy energy;
  energy.cycles = replay.cycles;
  energy.operations = replay.operations;
  std::vector<double> load_ff(netlist.nets.size(), 0);
  std::vector<bool> is_clock(netlist.nets.size(), false);
  for (const NetlistCell& cell : netlist.cells) {
    for (const NetlistPin& pin : cell.pins) {
      if (!pin.input) continue;
      load_ff[pin.net] += (pin.pin == nullptr ? 2.0 : pin.pin->capacitance_ff) + wire_ff;
      const bool clocks = cell.type == nullptr
                              ? pin.name == "clk_i"
                              : cell.type->kind != CellKind::kCombinational &&
                                    cell.type->clock.find(pin.name) != std::string::npos;
      if (clocks) is_clock[pin.net] = true;
    }
  }
  for (const NetlistCell& cell : netlist.cells) {
    for (const NetlistPin& pin : cell.pins) {
      if (pin.pin == nullptr) continue;
      const double spent = static_cast<double>(replay.changes[pin.net]) * pin.pin->energy_fj / 1000;
      (is_clock[pin.net] ? energy.clock_pj : energy.internal_pj) += spent;
    }
    if (cell.type != nullptr) continue;
    for (const RamMacro& macro : mapped.macros) {
      if (macro.cell_name() != cell.type_name) continue;
      uint64_t reads = 0;
      for (const NetlistPin& pin : cell.pins) {
        if (pin.name.starts_with("read_index_i")) reads = std::max(reads, replay.changes[pin.net]);
      }
      // A write lasts a cycle, so that write_valid_i changes twice for each one that stands alone.
      const double writes = static_cast<double>(replay.changes[cell.Net("write_valid_i")]) / 2;
      energy.internal_pj += (static_cast<double>(reads) * macro.read_energy_fj(library.voltage) +
                             writes * macro.write_energy_fj(library.voltage)) /
                            1000;
    }
  }
  for (size_t net = 0; net < netlist.nets.size(); ++net) {
    const double spent =
        0.5 * load_ff[net] * volt2 * static_cast<double>(replay.changes[net]) / 1000;
    (is_clock[net] ? energy.clock_pj : energy.switching_pj) += spent;
  }
  return energy;
}

}  // namespace flagstone
