#include "synth/netlist.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/error.h"

namespace flagstone {
namespace {

using nlohmann::json;

class Builder {
 public:
  Builder(const json& module, const CellLibrary& library, const std::vector<std::string>& macros)
      : module_(module), library_(library), macros_(macros) {}

  Netlist Build(const std::string& top) {
    netlist_.top = top;
    netlist_.nets = {"constant_0", "constant_1"};
    NameNets();
    AddPorts();
    AddCells();
    return std::move(netlist_);
  }

 private:
  // Yosys numbers nets, and writes constants as strings; undefined bits are taken as 0.
  uint32_t Net(const json& bit) {
    if (bit.is_string()) return bit.get<std::string>() == "1" ? 1 : 0;
    const auto number = bit.get<uint64_t>();
    const auto [found, added] = net_of_.emplace(number, netlist_.nets.size());
    if (added) netlist_.nets.push_back(fmt::format("n{}", number));
    return static_cast<uint32_t>(found->second);
  }

  // A net may have several names. The best one is the designer's, and of these a register's, then
  // the one deepest in the hierarchy.
  void NameNets() {
    std::unordered_map<uint32_t, std::pair<int64_t, std::string>> best;
    for (const auto& [name, net] : module_.at("netnames").items()) {
      if (net.at("hide_name").get<int>() != 0) continue;
      const json& bits = net.at("bits");
      const int64_t depth = std::count(name.begin(), name.end(), '.');
      const bool is_port = module_.at("ports").contains(name);
      for (size_t i = 0; i < bits.size(); ++i) {
        std::string full = bits.size() == 1 ? name : fmt::format("{}[{}]", name, i);
        netlist_.net_of_name.emplace(full, Net(bits[i]));
        if (bits[i].is_string()) continue;
        const bool is_register = name.ends_with("_q") || name.find("entries_q[") != name.npos;
        const int64_t rank = (is_register ? 1000 : 0) + depth * 2 + (is_port ? 0 : 1);
        auto [found, added] = best.try_emplace(Net(bits[i]), rank, full);
        if (!added && rank > found->second.first) found->second = {rank, std::move(full)};
      }
    }
    for (auto& [net, name] : best) netlist_.nets[net] = std::move(name.second);
  }

  void AddPorts() {
    for (const auto& [name, port] : module_.at("ports").items()) {
      const json& bits = port.at("bits");
      for (size_t i = 0; i < bits.size(); ++i) {
        NetlistPort& bit = netlist_.ports.emplace_back();
        bit.name = bits.size() == 1 ? name : fmt::format("{}[{}]", name, i);
        bit.base = name;
        bit.bit = static_cast<uint32_t>(i);
        bit.width = static_cast<uint32_t>(bits.size());
        bit.input = port.at("direction") == "input";
        bit.net = Net(bits[i]);
      }
    }
  }

  void AddCells() {
    for (const auto& [name, cell] : module_.at("cells").items()) {
      NetlistCell& added = netlist_.cells.emplace_back();
      added.type_name = cell.at("type");
      added.type = library_.Find(added.type_name);
      if (added.type == nullptr &&
          std::find(macros_.begin(), macros_.end(), added.type_name) == macros_.end()) {
        ThrowInternal("{}: library '{}' has nothing for a '{}'", netlist_.top, library_.name,
                      added.type_name);
      }
      for (const auto& [pin, bits] : cell.at("connections").items()) {
        for (size_t i = 0; i < bits.size(); ++i) {
          NetlistPin& connection = added.pins.emplace_back();
          connection.pin = added.type == nullptr ? nullptr : added.type->Pin(pin);
          connection.name = bits.size() == 1 ? pin : fmt::format("{}_{}", pin, i);
          connection.net = Net(bits[i]);
          connection.input = connection.pin != nullptr
                                 ? connection.pin->input
                                 : cell.at("port_directions").at(pin) == "input";
        }
      }
      if (added.type == nullptr) added.name = name;
    }
  }

  const json& module_;
  const CellLibrary& library_;
  const std::vector<std::string>& macros_;
  std::unordered_map<uint64_t, size_t> net_of_;
  Netlist netlist_;
};

// Registers by what they hold, gates by the net that they drive.
void NameCells(Netlist* netlist) {
  std::set<std::string> used;
  for (NetlistCell& cell : netlist->cells) {
    if (cell.type != nullptr) {
      for (const NetlistPin& pin : cell.pins) {
        const bool state =
            !pin.input && pin.pin != nullptr && pin.pin->function == cell.type->state;
        if (!pin.input && (state || cell.name.empty())) cell.name = netlist->nets[pin.net];
      }
    }
    if (cell.name.empty()) cell.name = cell.type_name;
    while (!used.insert(cell.name).second) cell.name += "_";
  }
}

}  // namespace

uint32_t NetlistCell::Net(std::string_view pin) const {
  for (const NetlistPin& candidate : pins) {
    if (candidate.name == pin) return candidate.net;
  }
  return kNoNet;
}

Netlist ReadNetlist(const std::string& text, const std::string& top, const CellLibrary& library,
                    const std::vector<std::string>& macros) {
  const json document = json::parse(text);
  Netlist netlist = Builder(document.at("modules").at(top), library, macros).Build(top);
  NameCells(&netlist);
  return netlist;
}

std::string Escaped(const std::string& name) { return fmt::format("\\{} ", name); }

std::string ToVerilog(const Netlist& netlist) {
  // A net has its port's name where it is an input, so that no assignment is needed.
  std::vector<std::string> names(netlist.nets.size());
  for (size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("w{}", i);
  for (const NetlistPort& port : netlist.ports) {
    if (port.input) names[port.net] = Escaped(port.name);
  }
  std::string text = "module " + netlist.top + " (";
  for (size_t i = 0; i < netlist.ports.size(); ++i) {
    text += (i == 0 ? "" : ",\n  ") + Escaped(netlist.ports[i].name);
  }
  text += ");\n";
  for (const NetlistPort& port : netlist.ports) {
    text += fmt::format("  {} {};\n", port.input ? "input" : "output", Escaped(port.name));
  }
  for (const std::string& name : names) {
    if (name[0] == 'w') text += fmt::format("  wire {};\n", name);
  }
  text += "  assign w0 = 1'b0;\n  assign w1 = 1'b1;\n";
  for (const NetlistPort& port : netlist.ports) {
    if (!port.input) {
      text += fmt::format("  assign {} = {};\n", Escaped(port.name), names[port.net]);
    }
  }
  for (const NetlistCell& cell : netlist.cells) {
    text += fmt::format("  {} {} (", cell.type_name, Escaped(cell.name + "$cell"));
    for (size_t i = 0; i < cell.pins.size(); ++i) {
      text += fmt::format("{}.{}({})", i == 0 ? "" : ", ", Escaped(cell.pins[i].name),
                          names[cell.pins[i].net]);
    }
    text += ");\n";
  }
  return text + "endmodule\n";
}

std::string ToVerilogModule(Netlist netlist) {
  const std::string top = netlist.top;
  netlist.top += "_netlist";
  std::string ports, connections;
  std::set<std::string> seen;
  for (const NetlistPort& port : netlist.ports) {
    const std::string index = port.width == 1 ? "" : fmt::format("[{}]", port.bit);
    connections += fmt::format("{}\n    .{}({}{})", connections.empty() ? "" : ",",
                               Escaped(port.name), port.base, index);
    if (!seen.insert(port.base).second) continue;
    const std::string range = port.width == 1 ? "" : fmt::format("[{}:0] ", port.width - 1);
    ports += fmt::format("{}\n  {} {}{}", ports.empty() ? "" : ",", port.input ? "input" : "output",
                         range, port.base);
  }
  return ToVerilog(netlist) + fmt::format("module {} ({});\n  {} u_netlist ({});\nendmodule\n", top,
                                          ports, netlist.top, connections);
}

uint64_t LogicDepth(const Netlist& netlist) {
  // Depth of each net, in topological order by counting inputs that are not yet known.
  std::vector<uint64_t> depth(netlist.nets.size(), 0);
  std::vector<std::vector<uint32_t>> readers(netlist.nets.size());
  std::vector<uint32_t> open(netlist.cells.size(), 0);
  std::vector<bool> driven(netlist.nets.size(), false);
  const auto is_gate = [&](size_t i) {
    return netlist.cells[i].type != nullptr &&
           netlist.cells[i].type->kind == CellKind::kCombinational;
  };
  for (size_t i = 0; i < netlist.cells.size(); ++i) {
    if (!is_gate(i)) continue;
    for (const NetlistPin& pin : netlist.cells[i].pins) {
      if (!pin.input) driven[pin.net] = true;
    }
  }
  std::vector<uint32_t> ready;
  for (uint32_t i = 0; i < netlist.cells.size(); ++i) {
    if (!is_gate(i)) continue;
    for (const NetlistPin& pin : netlist.cells[i].pins) {
      if (!pin.input || !driven[pin.net]) continue;
      readers[pin.net].push_back(i);
      ++open[i];
    }
    if (open[i] == 0) ready.push_back(i);
  }
  uint64_t deepest = 0;
  while (!ready.empty()) {
    const NetlistCell& cell = netlist.cells[ready.back()];
    ready.pop_back();
    uint64_t own = 0;  // of a tie cell
    for (const NetlistPin& pin : cell.pins) {
      if (pin.input) own = std::max(own, depth[pin.net] + 1);
    }
    deepest = std::max(deepest, own);
    for (const NetlistPin& pin : cell.pins) {
      if (pin.input) continue;
      depth[pin.net] = own;
      for (const uint32_t reader : readers[pin.net]) {
        if (--open[reader] == 0) ready.push_back(reader);
      }
    }
  }
  return deepest;
}

}  // namespace flagstone
