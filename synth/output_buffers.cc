#include "synth/output_buffers.h"

#include <fmt/format.h>

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

}  // namespace

double OutputLoad(const CellLibrary& library) {
  return 2 * Input(*library.Follower(true)).capacitance_ff;
}

void BufferOutputs(const CellLibrary& library, Netlist* netlist) {
  const LibraryCell* buffer = Strongest(library);
  if (buffer == nullptr) return;
  std::map<uint32_t, std::vector<NetlistPort*>> driven;  // by net; not the constants
  for (NetlistPort& port : netlist->ports) {
    if (!port.input && port.net > 1) driven[port.net].push_back(&port);
  }
  for (auto& [net, ports] : driven) {
    if (ports.size() <= kOutputsPerBuffer) continue;
    const std::string name = netlist->nets[net];
    for (size_t i = 0; i < ports.size(); ++i) {
      if (i % kOutputsPerBuffer == 0) {
        NetlistCell& cell = netlist->cells.emplace_back();
        cell.name = fmt::format("{}$outputs{}", name, i / kOutputsPerBuffer);
        cell.type = buffer;
        cell.type_name = buffer->name;
        const auto out = static_cast<uint32_t>(netlist->nets.size());
        netlist->nets.push_back(cell.name);
        cell.pins = {{&Input(*buffer), Input(*buffer).name, net, true},
                     {&Output(*buffer), Output(*buffer).name, out, false}};
      }
      ports[i]->net = static_cast<uint32_t>(netlist->nets.size() - 1);
    }
  }
}

}  // namespace flagstone
