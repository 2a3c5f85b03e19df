#include "synth/output_buffers.h"

#include <fmt/core.h>

#include <map>

namespace flagstone {
namespace {

const CellPin& Input(const LibraryCell& follower) {
  return follower.pins[follower.pins[0].input ? 0 : 1];
}
const CellPin& Output(const LibraryCell& follower) {
  return follower.pins[follower.pins[0].input ? 1 : 0];
}

const LibraryCell* Strongest(const CellLibrary& library) {
  const LibraryCell* smallest = library.Follower(false);
  if (smallest == nullptr) return nullptr;
  const LibraryCell* best = smallest;
  for (const auto& [name, cell] : library.cells) {
    if (cell.kind != CellKind::kCombinational || cell.pins.size() != 2 ||
        Output(cell).function != Input(cell).name) {
      continue;
    }
    const bool light = Input(cell).capacitance_ff <= OutputLoad(library) * 1.001;
    if (light && cell.area_um2 > best->area_um2) best = &cell;
  }
  return best;
}

// What abc does not see: a port, or a pin of a cell that is stored at the clock's edge.
constexpr size_t kPort = ~size_t{0};
struct Sink {
  size_t cell;   // kPort, or by its place in the netlist
  size_t place;  // of the port, or of the pin in the cell
};

bool IsStored(const NetlistCell& cell, const NetlistPin& pin) {
  if (cell.type == nullptr || !pin.input) return false;
  const CellKind kind = cell.type->kind;
  return (kind == CellKind::kFlipFlop || kind == CellKind::kLatch ||
          kind == CellKind::kClockGate) &&
         cell.type->clock.find(pin.name) == std::string::npos;
}

}  // namespace

double OutputLoad(const CellLibrary& library) {
  return 2 * Input(*library.Follower(true)).capacitance_ff;
}

void BufferOutputs(const CellLibrary& library, Netlist* netlist) {
  const LibraryCell* buffer = Strongest(library);
  if (buffer == nullptr) return;
  std::map<uint32_t, std::vector<Sink>> driven;  // by net; not the constants
  for (size_t p = 0; p < netlist->ports.size(); ++p) {
    const NetlistPort& port = netlist->ports[p];
    if (!port.input && port.net > 1) driven[port.net].push_back({kPort, p});
  }
  for (size_t c = 0; c < netlist->cells.size(); ++c) {
    const NetlistCell& cell = netlist->cells[c];
    for (size_t p = 0; p < cell.pins.size(); ++p) {
      if (IsStored(cell, cell.pins[p]) && cell.pins[p].net > 1) {
        driven[cell.pins[p].net].push_back({c, p});
      }
    }
  }
  for (auto& [net, sinks] : driven) {
    const std::string name = netlist->nets[net];
    // The buffers are sinks of the net in their turn.
    for (size_t count = 0; sinks.size() > kOutputsPerBuffer;) {
      std::vector<Sink> buffers;
      for (size_t i = 0; i < sinks.size(); ++i) {
        if (i % kOutputsPerBuffer == 0) {
          buffers.push_back({netlist->cells.size(), 0});
          NetlistCell& cell = netlist->cells.emplace_back();
          cell.name = fmt::format("{}$outputs{}", name, count++);
          cell.type = buffer;
          cell.type_name = buffer->name;
          const auto out = static_cast<uint32_t>(netlist->nets.size());
          netlist->nets.push_back(cell.name);
          cell.pins = {{&Input(*buffer), Input(*buffer).name, net, true},
                       {&Output(*buffer), Output(*buffer).name, out, false}};
        }
        const auto out = static_cast<uint32_t>(netlist->nets.size() - 1);
        if (sinks[i].cell == kPort) {
          netlist->ports[sinks[i].place].net = out;
        } else {
          netlist->cells[sinks[i].cell].pins[sinks[i].place].net = out;
        }
      }
      sinks = std::move(buffers);
    }
  }
}

}  // namespace flagstone
