#include "synth/equivalence.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/cell_models.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

using nlohmann::json;

// A side of the comparison, cut. Names are the RTL's: "u_fifo.count_q[1].now" is a state, ".next"
// what it becomes, ".open" whether a latch follows.
struct Side {
  std::set<std::string> inputs, outputs;
  // What the netlist's net always is: a flip-flop's state, by its name, or a constant, "0" or "1".
  std::unordered_map<uint32_t, std::string> held_on_net;
};

// A flip-flop of the RTL that the netlist does without: it is a constant there ("0", "1"), or the
// double of another one. That it stays so, also under reset, is proven as well: its next state is
// compared.
using Doubles = std::map<std::string, std::string>;

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

std::string BitName(const std::string& name, size_t bit, size_t width) {
  return width == 1 ? name : fmt::format("{}[{}]", name, bit);
}

// The netlist as Verilog without what stores, each cut a port.
std::string CutNetlist(const Netlist& netlist, const std::set<std::string>& more_inputs,
                       const Doubles& doubles, Side* side) {
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

// The RTL in Yosys's gates, likewise. Of what it stores, that which the netlist has under one of
// its names; the rest is an input alone, and stays out of what is compared.
class CutRtl {
 public:
  CutRtl(const std::string& text, const Netlist& netlist, const Side& cut)
      : document_(json::parse(text)),
        module_(document_.at("modules").at(netlist.top)),
        netlist_(netlist),
        cut_(cut) {
    for (const auto& [name, net] : module_.at("netnames").items()) {
      const json& bits = net.at("bits");
      for (size_t i = 0; i < bits.size(); ++i) {
        if (!bits[i].is_number()) continue;
        names_[bits[i].get<uint64_t>()].push_back(BitName(name, i, bits.size()));
        next_net_ = std::max(next_net_, bits[i].get<uint64_t>() + 1);
      }
    }
    CutPorts();
    CutCells();
    module_["ports"] = ports_;
    module_["netnames"] = json::object();  // else "a[0]" is a port and a bit of a vector
  }

  const Side& side() const { return side_; }
  const Doubles& doubles() const { return doubles_; }
  std::string Text() const { return document_.dump(); }

 private:
  // An output has a net of its own: it may be a state, or a constant.
  void Add(const std::string& name, bool input, const json& bit) {
    (input ? side_.inputs : side_.outputs).insert(name);
    const json net = input ? bit : json(next_net_++);
    if (!input) added_[name + "$out"] = Cell("$_BUF_", {{"A", bit}, {"Y", net}});
    ports_[name] = {{"direction", input ? "input" : "output"}, {"bits", json::array({net})}};
  }

  void CutPorts() {
    for (const auto& [name, port] : module_.at("ports").items()) {
      const json& bits = port.at("bits");
      for (size_t i = 0; i < bits.size(); ++i) {
        Add(BitName(name, i, bits.size()), port.at("direction") == "input", bits[i]);
      }
    }
  }

  void CutCells() {
    json& cells = module_.at("cells");
    for (auto cell = cells.begin(); cell != cells.end();) {
      const std::string type = cell->at("type");
      const json& pins = cell->at("connections");
      if (type.find("table_storage_ram") != type.npos) {
        for (const auto& [pin, bits] : pins.items()) {
          for (size_t i = 0; i < bits.size(); ++i) {
            Add(fmt::format("{}.{}", cell.key(),
                            bits.size() == 1 ? pin : fmt::format("{}_{}", pin, i)),
                cell->at("port_directions").at(pin) == "output", bits[i]);
          }
        }
      } else if (type.starts_with("$_DFF_") || type.starts_with("$_DLATCH_")) {
        CutState(pins, type);
      } else {
        ++cell;
        continue;
      }
      cell = cells.erase(cell);
    }
    for (const auto& [name, state] : double_bits_) {
      const std::string& source = doubles_.at(name);
      const auto port = ports_.find(source + ".now");
      added_[name + "$double"] =
          Cell("$_BUF_",
               {{"A", port == ports_.end() ? json(source) : (*port)["bits"][0]}, {"Y", state}});
    }
    for (auto& [name, gate] : added_.items()) cells[name] = gate;
  }

  void CutState(const json& pins, const std::string& type) {
    const json& state = pins.at("Q")[0];
    const std::vector<std::string>& names = names_[state.get<uint64_t>()];
    for (const std::string& name : names) {
      if (!cut_.inputs.contains(name + ".now")) continue;
      Add(name + ".now", true, state);
      if (type.starts_with("$_DFF_")) {
        Add(name + ".next", false, pins.at("D")[0]);
        return;
      }
      const bool high = type == "$_DLATCH_P_";
      const json next = next_net_++, open = next_net_++;
      added_[name + "$next"] = Cell("$_MUX_", {{"A", high ? state : pins.at("D")[0]},
                                               {"B", high ? pins.at("D")[0] : state},
                                               {"S", pins.at("E")[0]},
                                               {"Y", next}});
      added_[name + "$open"] =
          Cell(high ? "$_BUF_" : "$_NOT_", {{"A", pins.at("E")[0]}, {"Y", open}});
      Add(name + ".next", false, next);
      Add(name + ".open", false, open);
      return;
    }
    if (names.empty()) return;
    for (const std::string& name : names) {
      const auto net = netlist_.net_of_name.find(name);
      if (type.starts_with("$_DLATCH_") || net == netlist_.net_of_name.end()) continue;
      const auto held = cut_.held_on_net.find(net->second);
      if (held == cut_.held_on_net.end()) continue;
      doubles_[name] = held->second;
      double_bits_[name] = state;
      Add(name + ".next", false, pins.at("D")[0]);
      return;
    }
    Add(names.front() + ".now", true, state);
  }

  static json Cell(const char* type, const std::map<std::string, json>& pins) {
    json cell = {{"hide_name", 0},
                 {"type", type},
                 {"parameters", json::object()},
                 {"attributes", json::object()}};
    for (const auto& [pin, bit] : pins) {
      cell["port_directions"][pin] = pin == "Y" ? "output" : "input";
      cell["connections"][pin] = json::array({bit});
    }
    return cell;
  }

  json document_;
  json& module_;
  const Netlist& netlist_;
  const Side& cut_;
  Side side_;
  Doubles doubles_;
  std::unordered_map<uint64_t, std::vector<std::string>> names_;
  std::map<std::string, json> double_bits_;
  json ports_ = json::object(), added_ = json::object();
  uint64_t next_net_ = 0;  // above all that Yosys has numbered
};

}  // namespace

Equivalence ProveEquivalence(const SynthBlock& block, const CellLibrary& library,
                             const MappedBlock& mapped, const std::filesystem::path& folder) {
  const auto abc = FindProgram("berkeley-abc");
  if (!abc) ThrowInternal("equivalence needs abc: install the package 'berkeley-abc'");
  const std::string top(block.name);
  const std::string ram = mapped.macros.empty() ? "" : "*table_storage_ram*";
  RunYosys(ReadScript(block, RtlFilesOf(block.name)) +
               (ram.empty() ? "" : fmt::format("proc {0}\nblackbox {0}\n", ram)) +
               "proc\nflatten\nopt\nmemory_map\nopt -undriven -fine\ntechmap\nopt\n"
               "dfflegalize -cell $_DFF_P_ x -cell $_DLATCH_P_ x -cell $_DLATCH_N_ x\nopt_clean\n"
               "setundef -zero\nwrite_json rtl.json\n",
           folder, block.name);
  Side gate;
  CutNetlist(mapped.netlist, {}, {}, &gate);
  const CutRtl rtl(ReadFile(folder / "rtl.json"), mapped.netlist, gate);
  for (const auto& [ours, theirs] :
       {std::pair{gate.inputs, rtl.side().inputs}, std::pair{gate.outputs, rtl.side().outputs}}) {
    for (const std::string& name : ours) {
      if (!theirs.contains(name)) ThrowInternal("{}: the RTL has no '{}'", top, name);
    }
  }
  WriteFileAtomically(folder / "gold.json", rtl.Text());
  WriteFileAtomically(folder / "gate.v",
                      CutNetlist(mapped.netlist, rtl.side().inputs, rtl.doubles(), &gate));
  WriteFileAtomically(folder / "models.v", CellModels(library));
  RunYosys(fmt::format("read_json gold.json\nhierarchy -top {0}\ntechmap\nopt_clean\n"
                       "write_blif gold.blif\ndesign -reset\n"
                       "read_verilog models.v gate.v\nhierarchy -top {0}\nproc\nflatten\ntechmap\n"
                       "opt_clean\nwrite_blif gate.blif\n",
                       top),
           folder, block.name);
  Equivalence result;
  result.points = gate.outputs.size();
  // What SAT finds equal with little effort (&fraig) goes; the rest, such as sums of many bits, as
  // decision diagrams where these stay small, else by SAT. `cec` also names an output that differs.
  for (const char* command :
       {"miter -m gold.blif gate.blif; &get -n; &fraig -x -C 500; &put; collapse -B 200000; "
        "strash; orpos; prove",
        "cec gold.blif gate.blif"}) {
    const std::string log = RunProcess({abc->string(), "-c", command}, folder).output;
    result.proven =
        log.find("Networks are equivalent") != log.npos || log.find("UNSATISFIABLE") != log.npos;
    result.different.clear();
    if (result.proven) break;
    result.different = TellingLine(log, "Verification failed");
    if (log.find("NOT EQUIVALENT") != log.npos) break;
  }
  return result;
}

}  // namespace flagstone
