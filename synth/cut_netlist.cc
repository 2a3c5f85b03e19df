#include "synth/cut_netlist.h"

#include <cctype>

#include "base/error.h"
#include "synth/cell_models.h"

namespace flagstone {
namespace {

// The netlist's nets that are constants. What nothing drives nor reads is the name of a constant
// whose tie cell Yosys has dropped. It is taken as 0: a wrong guess fails, since a register of this
// name must then stay 0 in the RTL.
std::unordered_map<uint32_t, std::string> ConstantNets(const Netlist& netlist) {
  std::unordered_map<uint32_t, std::string> constants = {{0, "0"}, {1, "1"}};
  std::set<uint32_t> driven, read;
  for (const NetlistPort& port : netlist.ports) (port.input ? driven : read).insert(port.net);
  for (const NetlistCell& cell : netlist.cells) {
    for (const NetlistPin& pin : cell.pins) {
      (pin.input ? read : driven).insert(pin.net);
      const std::string function = pin.pin == nullptr ? "" : pin.pin->function;
      if (function == "0" || function == "1") constants.emplace(pin.net, function);
    }
  }
  for (uint32_t net = 2; net < netlist.nets.size(); ++net) {
    if (driven.contains(net)) continue;
    if (read.contains(net)) {
      ThrowInternal("{}: nothing drives '{}'", netlist.top, netlist.nets[net]);
    }
    constants.emplace(net, "0");
  }
  return constants;
}

}  // namespace

std::string CutNetlist(const Netlist& netlist, const std::set<std::string>& more_inputs,
                       const CutDoubles& doubles, CutSide* side) {
  side->held_on_net = ConstantNets(netlist);
  std::string body;
  std::map<std::string, std::string> next = {{"0", "1'b0"}, {"1", "1'b1"}};  // by flip-flop
  const auto net = [](uint32_t number) { return fmt::format("w{}", number); };
  const auto input = [&](const std::string& name, const std::string& to) {
    side->inputs.insert(name);
    body += fmt::format("  assign {} = {};\n", to, Escaped(name));
  };
  const auto output = [&](const std::string& name, const std::string& from) {
    side->outputs.insert(name);
    body += fmt::format("  assign {} = {};\n", Escaped(name), from);
  };
  struct Gate {
    uint32_t clock, enable;
  };
  uint32_t clock = kNoNet;
  std::map<uint32_t, Gate> gates;  // by the clock that they make
  for (const NetlistPort& port : netlist.ports) {
    if (port.name == "clk_i") clock = port.net;
    if (port.input) {
      input(port.name, net(port.net));
    } else {
      output(port.name, net(port.net));
    }
  }
  for (const NetlistCell& cell : netlist.cells) {
    if (cell.type == nullptr || cell.type->kind != CellKind::kClockGate) continue;
    for (const NetlistPin& pin : cell.pins) {
      if (!pin.input) gates[pin.net] = {cell.Net(cell.type->clock), cell.Net(cell.type->data)};
    }
  }
  const auto check_clock = [&](const NetlistCell& cell, uint32_t at) {
    if (at != clock) ThrowInternal("{}: '{}' has no clock", netlist.top, cell.name);
  };
  for (const NetlistCell& cell : netlist.cells) {
    if (cell.type == nullptr) {  // a RAM
      for (const NetlistPin& pin : cell.pins) {
        const std::string name = fmt::format("{}.{}", cell.name, pin.name);
        if (pin.input) {
          output(name, net(pin.net));
        } else {
          input(name, net(pin.net));
        }
      }
      continue;
    }
    if (cell.type->kind == CellKind::kClockGate) continue;
    const bool latch = cell.type->kind == CellKind::kLatch;
    if (!latch && cell.type->kind != CellKind::kFlipFlop) {
      body += fmt::format("  {} {} (", cell.type_name, Escaped(cell.name + "$cell"));
      for (size_t i = 0; i < cell.pins.size(); ++i) {
        body +=
            fmt::format("{}.{}({})", i == 0 ? "" : ", ", cell.pins[i].name, net(cell.pins[i].net));
      }
      body += ");\n";
      continue;
    }
    // Expressions over pins, as the Liberty file has them.
    const auto over_nets = [&](const std::string& expression) {
      std::string text, word;
      for (const char c : ToVerilogExpression(expression) + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
          word += c;
          continue;
        }
        text += cell.Net(word) == kNoNet ? word : net(cell.Net(word));
        text += c;
        word.clear();
      }
      return text;
    };
    const std::string data = over_nets(cell.type->data);
    const std::string state = Escaped(cell.name + ".now");
    side->inputs.insert(cell.name + ".now");
    if (latch) {
      const std::string open = over_nets(cell.type->clock);
      output(cell.name + ".open", open);
      output(cell.name + ".next", fmt::format("({}) ? ({}) : {}", open, data, state));
    } else {
      const uint32_t at = cell.Net(cell.type->clock);
      const auto gate = gates.find(at);
      check_clock(cell, gate == gates.end() ? at : gate->second.clock);
      next[cell.name] = gate == gates.end()
                            ? data
                            : fmt::format("{} ? ({}) : {}", net(gate->second.enable), data, state);
      output(cell.name + ".next", next[cell.name]);
    }
    for (const NetlistPin& pin : cell.pins) {
      if (pin.input) continue;
      const bool inverse = pin.pin->function == cell.type->state_inverse;
      if (!latch && !inverse) side->held_on_net[pin.net] = cell.name;
      body += fmt::format("  assign {} = {}{};\n", net(pin.net), inverse ? "~" : "", state);
    }
  }
  for (const auto& [name, source] : doubles) output(name + ".next", next.at(source));
  side->inputs.insert(more_inputs.begin(), more_inputs.end());
  std::string ports;
  const auto add = [&](const std::set<std::string>& names, const char* direction) {
    for (const std::string& name : names) {
      ports += fmt::format("{}  {} {}", ports.empty() ? "" : ",\n", direction, Escaped(name));
    }
  };
  add(side->inputs, "input");
  add(side->outputs, "output");
  std::string nets;
  for (size_t i = 2; i < netlist.nets.size(); ++i) nets += fmt::format("  wire w{};\n", i);
  return fmt::format("module {} (\n{});\n  wire w0 = 1'b0;\n  wire w1 = 1'b1;\n{}{}endmodule\n",
                     netlist.top, ports, nets, body);
}

}  // namespace flagstone
