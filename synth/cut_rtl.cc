#include "synth/cut_rtl.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flagstone {
namespace {

using nlohmann::json;

std::string BitName(const std::string& name, size_t bit, size_t width) {
  return width == 1 ? name : fmt::format("{}[{}]", name, bit);
}

class RtlCutter {
 public:
  RtlCutter(const std::string& text, const Netlist& netlist, const CutSide& cut)
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

  RtlCut Take() { return {std::move(side_), std::move(doubles_), document_.dump()}; }

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
  const CutSide& cut_;
  CutSide side_;
  CutDoubles doubles_;
  std::unordered_map<uint64_t, std::vector<std::string>> names_;
  std::map<std::string, json> double_bits_;
  json ports_ = json::object(), added_ = json::object();
  uint64_t next_net_ = 0;  // above all that Yosys has numbered
};

}  // namespace

RtlCut CutRtl(const std::string& text, const Netlist& netlist, const CutSide& gate) {
  return RtlCutter(text, netlist, gate).Take();
}

}  // namespace flagstone
