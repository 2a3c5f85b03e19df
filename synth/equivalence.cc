#include "synth/equivalence.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "synth/cell_models.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

using nlohmann::json;

// Flip-flops behind clock gates become `gated_register` (clock, enable, data, output).
std::string WithoutClockGates(const std::string& text, const std::string& top,
                              const CellLibrary& library) {
  json document = json::parse(text);
  json& module = document.at("modules").at(top);
  struct Gate {
    json clock, enable;
  };
  std::map<json, Gate> gates;  // by the clock that they make
  json& cells = module.at("cells");
  for (auto cell = cells.begin(); cell != cells.end();) {
    const LibraryCell* type = library.Find(cell->at("type"));
    if (type == nullptr || type->kind == CellKind::kLatch) {
      ThrowInternal("{}: equivalence is proven for flip-flops and gates only, found '{}'", top,
                    cell->at("type").get<std::string>());
    }
    if (type->kind != CellKind::kClockGate) {
      ++cell;
      continue;
    }
    const json& pins = cell->at("connections");
    for (const CellPin& pin : type->pins) {
      if (!pin.input) gates[pins.at(pin.name)] = {pins.at(type->clock), pins.at(type->data)};
    }
    cell = cells.erase(cell);
  }
  for (json& cell : cells) {
    const LibraryCell* type = library.Find(cell.at("type"));
    if (type->kind != CellKind::kFlipFlop) continue;
    const auto gate = gates.find(cell.at("connections").at(type->clock));
    if (gate == gates.end()) continue;
    json pins = {{"CLK", gate->second.clock},
                 {"E", gate->second.enable},
                 {"D", cell.at("connections").at(type->data)}};
    for (const CellPin& pin : type->pins) {
      if (pin.function == type->state) pins["Q"] = cell.at("connections").at(pin.name);
    }
    cell["type"] = "$_DFFE_PP_";
    cell["parameters"] = json::object();
    cell["port_directions"] = {{"C", "input"}, {"E", "input"}, {"D", "input"}, {"Q", "output"}};
    pins["C"] = pins["CLK"];
    pins.erase("CLK");
    cell["connections"] = pins;
  }
  return document.dump();
}

}  // namespace

Equivalence ProveEquivalence(const SynthBlock& block, const CellLibrary& library,
                             const std::filesystem::path& mapped_folder,
                             const std::filesystem::path& folder) {
  const std::string top(block.name);
  WriteFileAtomically(folder / "gates.json",
                      WithoutClockGates(ReadFile(mapped_folder / "netlist.json"), top, library));
  WriteFileAtomically(folder / "models.v", CellModels(library));
  std::string script = ReadScript(block, RtlFilesOf(block.name));
  script += fmt::format(
      "proc\nflatten\nmemory_map\nopt_clean\nsplitnets -ports\ntechmap\ndffunmap\nopt_clean\n"
      "rename {0} gold\ndesign -stash gold\n"
      "read_json gates.json\nread_verilog models.v\nhierarchy -top {0}\nproc\nflatten\n"
      "splitnets -ports\ndffunmap\nopt_clean\nrename {0} gate\ndesign -stash gate\n"
      "design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n"
      "equiv_make gold gate equiv\nhierarchy -top equiv\nopt_clean\n"
      "equiv_simple\nequiv_induct\nequiv_status\n",
      top);
  const std::string log = RunYosys(script, folder, block.name);
  Equivalence result;
  // "Of those cells 137 are proven and 0 are unproven."
  constexpr std::string_view kProven = "Of those cells ";
  constexpr std::string_view kUnproven = " are proven and ";
  const size_t proven = log.rfind(kProven);
  const size_t unproven = log.rfind(kUnproven);
  if (proven == std::string::npos || unproven == std::string::npos) {
    ThrowInternal("Yosys compared nothing of {}", block.name);
  }
  result.unproven = std::stoull(log.substr(unproven + kUnproven.size()));
  result.points = std::stoull(log.substr(proven + kProven.size())) + result.unproven;
  return result;
}

}  // namespace flagstone
