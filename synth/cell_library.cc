#include "synth/cell_library.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "synth/liberty.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// How many of our units (fF, nW) one of the file's is.
struct Units {
  double time = 1;  // ns
  double capacitance = 1;
  double leakage = 1;
  double energy = 1;  // a unit of internal power is a unit of capacitance times the volt squared
};

double Number(std::string_view text, double otherwise) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : otherwise;
}

double OneOf(const LibertyGroup& library, const std::string& file, std::string_view attribute,
             const std::map<std::string, double, std::less<>>& known) {
  std::string value(library.Value(attribute));
  std::transform(value.begin(), value.end(), value.begin(), [](char c) { return std::tolower(c); });
  const auto found = known.find(value);
  if (found != known.end()) return found->second;
  std::string names;
  for (const auto& [name, factor] : known) names += (names.empty() ? "" : ", ") + name;
  const auto* at = library.Find(attribute);
  ThrowBadInput("{}:{}: {} is '{}': expected one of {}", file,
                at == nullptr ? library.line : at->line, attribute, value, names);
}

Units ReadUnits(const LibertyGroup& library, const std::string& file) {
  Units units;
  units.time = OneOf(library, file, "time_unit",
                     {{"1ns", 1}, {"100ps", 0.1}, {"10ps", 0.01}, {"1ps", 0.001}});
  const LibertyGroup::Attribute* load = library.Find("capacitive_load_unit");
  std::string unit = load != nullptr && load->values.size() == 2 ? load->values[1] : "";
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return std::tolower(c); });
  const double times = load != nullptr && !load->values.empty() ? Number(load->values[0], 0) : 0;
  if (times <= 0 || (unit != "ff" && unit != "pf")) {
    ThrowBadInput("{}:{}: capacitive_load_unit: expected (number, ff) or (number, pf)", file,
                  load == nullptr ? library.line : load->line);
  }
  units.capacitance = times * (unit == "pf" ? 1000.0 : 1.0);
  units.energy = units.capacitance;
  if (library.Find("leakage_power_unit") != nullptr) {
    units.leakage = OneOf(library, file, "leakage_power_unit",
                          {{"1mw", 1e6}, {"1uw", 1e3}, {"1nw", 1}, {"1pw", 1e-3}});
  }
  return units;
}

void AddNumbers(const LibertyGroup& table, std::vector<double>* numbers) {
  const LibertyGroup::Attribute* values = table.Find("values");
  if (values == nullptr) return;
  for (std::string_view row : values->values) {
    while (!row.empty()) {
      const size_t comma = std::min(row.find(','), row.size());
      numbers->push_back(Number(row.substr(0, comma), 0));
      row.remove_prefix(std::min(comma + 1, row.size()));
    }
  }
}

double Mean(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return numbers.empty() ? 0 : sum / static_cast<double>(numbers.size());
}

// A flip-flop's clock-to-output delay and set-up time, from the timing groups of a pin.
void AddFlipFlopTiming(const LibertyGroup& pin, double unit, LibraryCell* cell) {
  for (const LibertyGroup& timing : pin.groups) {
    if (timing.name != "timing") continue;
    const std::string_view type = timing.Value("timing_type");
    std::vector<double> numbers;
    for (const LibertyGroup& table : timing.groups) {
      if (table.name.starts_with("cell_") || table.name.ends_with("_constraint")) {
        AddNumbers(table, &numbers);
      }
    }
    if (numbers.empty()) continue;
    if (type == "rising_edge" || type == "falling_edge") {
      cell->clock_to_output_ns = *std::min_element(numbers.begin(), numbers.end()) * unit;
    } else if (type.starts_with("setup_")) {
      cell->setup_ns = std::max(0.0, Mean(numbers)) * unit;
    }
  }
}

CellPin ReadPin(const LibertyGroup& group, const std::string& name, const Units& units) {
  CellPin pin;
  pin.name = name;
  pin.input = group.Value("direction") == "input";
  pin.capacitance_ff = Number(group.Value("capacitance"), 0) * units.capacitance;
  pin.function = std::string(group.Value("function"));
  std::vector<double> energies;
  for (const LibertyGroup& inner : group.groups) {
    if (inner.name != "internal_power") continue;
    for (const LibertyGroup& table : inner.groups) AddNumbers(table, &energies);
  }
  pin.energy_fj = Mean(energies) * units.energy;
  return pin;
}

// A pin, or one inverted: "CK", "!CK", "(!CK)", "CK'". Returns the pin's name; `inverted` says.
std::string PinOf(std::string expression, bool* inverted) {
  *inverted = expression.find_first_of("!'") != std::string::npos;
  std::erase_if(expression,
                [](char c) { return c == '(' || c == ')' || c == ' ' || c == '!' || c == '\''; });
  return expression;
}

LibraryCell ReadCell(const LibertyGroup& group, const Units& units) {
  LibraryCell cell;
  cell.name = group.arguments.at(0);
  cell.area_um2 = Number(group.Value("area"), 0);
  cell.leakage_nw = Number(group.Value("cell_leakage_power"), 0) * units.leakage;
  std::string enable_pin, clock_pin;
  bool tristate = false, other_state = false;
  for (const LibertyGroup& inner : group.groups) {
    if (inner.name == "pin") {
      for (const std::string& name : inner.arguments) {
        if (inner.Value("direction") == "internal") continue;
        cell.pins.push_back(ReadPin(inner, name, units));
        AddFlipFlopTiming(inner, units.time, &cell);
        if (inner.Value("clock_gate_enable_pin") == "true") enable_pin = name;
        if (inner.Value("clock_gate_clock_pin") == "true") clock_pin = name;
        tristate |= inner.Find("three_state") != nullptr;
      }
    } else if (inner.name == "ff" || inner.name == "latch") {
      cell.kind = inner.name == "ff" ? CellKind::kFlipFlop : CellKind::kLatch;
      cell.state = inner.arguments.empty() ? "" : inner.arguments[0];
      cell.state_inverse = inner.arguments.size() < 2 ? "" : inner.arguments[1];
      cell.data = inner.Value(inner.name == "ff" ? "next_state" : "data_in");
      cell.clock = inner.Value(inner.name == "ff" ? "clocked_on" : "enable");
      other_state |= inner.Find("clear") != nullptr || inner.Find("preset") != nullptr;
    }
  }
  const auto inputs = std::count_if(cell.pins.begin(), cell.pins.end(),
                                    [](const CellPin& pin) { return pin.input; });
  if (group.Value("clock_gating_integrated_cell") == "latch_posedge") {
    cell.kind = CellKind::kClockGate;
    cell.data = enable_pin;
    cell.clock = clock_pin;
    cell.plain = inputs == 2;
  } else if (cell.kind == CellKind::kFlipFlop || cell.kind == CellKind::kLatch) {
    bool inverted = false;
    cell.plain = inputs == 2 && !other_state && cell.Pin(PinOf(cell.data, &inverted)) != nullptr;
  } else if (!tristate && group.Find("clock_gating_integrated_cell") == nullptr &&
             std::any_of(cell.pins.begin(), cell.pins.end(),
                         [](const CellPin& pin) { return !pin.function.empty(); })) {
    cell.kind = CellKind::kCombinational;
    cell.plain = true;
  }
  return cell;
}

std::string Where(const std::string& name) {
  if (name.empty()) return (DataFolder() / "synth/library/teaching_45nm.lib").string();
  for (const char* process : {"osu018", "osu035", "osu050"}) {
    if (name != process) continue;
    const std::string stem = name == "osu050" ? "osu05" : name;
    const fs::path file = fs::path("/usr/share/qflow/tech") / name / (stem + "_stdcells.lib");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
      ThrowInternal("library '{}' is not installed: install the package 'qflow-tech-{}'", name,
                    name);
    }
    return file.string();
  }
  return name;
}

}  // namespace

const CellPin* LibraryCell::Pin(std::string_view pin_name) const {
  for (const CellPin& pin : pins) {
    if (pin.name == pin_name) return &pin;
  }
  return nullptr;
}

const LibraryCell* CellLibrary::Find(const std::string& cell) const {
  const auto found = cells.find(cell);
  return found == cells.end() ? nullptr : &found->second;
}

const LibraryCell* CellLibrary::Smallest(CellKind kind, std::string_view clock) const {
  const LibraryCell* best = nullptr;
  for (const auto& [cell_name, cell] : cells) {
    if (cell.kind != kind || !cell.plain) continue;
    bool inverted = false;
    if (cell.Pin(PinOf(cell.clock, &inverted)) == nullptr) continue;
    if (!clock.empty() && inverted != (clock == "-")) continue;
    if (best == nullptr || cell.area_um2 < best->area_um2) best = &cell;
  }
  return best;
}

const LibraryCell* CellLibrary::Tie(char value) const {
  for (const auto& [cell_name, cell] : cells) {
    if (cell.kind == CellKind::kCombinational && cell.pins.size() == 1 &&
        cell.pins[0].function == std::string(1, value)) {
      return &cell;
    }
  }
  return nullptr;
}

const LibraryCell* CellLibrary::Follower(bool inverted) const {
  const LibraryCell* best = nullptr;
  for (const auto& [cell_name, cell] : cells) {
    if (cell.kind != CellKind::kCombinational || cell.pins.size() != 2) continue;
    const CellPin& output = cell.pins[cell.pins[0].input ? 1 : 0];
    const CellPin& input = cell.pins[cell.pins[0].input ? 0 : 1];
    bool is_inverted = false;
    if (PinOf(output.function, &is_inverted) != input.name || is_inverted != inverted) continue;
    if (best == nullptr || cell.area_um2 < best->area_um2) best = &cell;
  }
  return best;
}

CellLibrary MakeCellLibrary(std::string text, const std::string& file) {
  const LibertyGroup group = ParseLiberty(text, file);
  const Units units = ReadUnits(group, file);
  CellLibrary library;
  library.name = group.arguments.empty() ? "" : group.arguments[0];
  library.file = file;
  library.capacitance_unit_ff = units.capacitance;
  library.voltage = Number(group.Value("nom_voltage"), 0);
  if (library.voltage <= 0) {
    ThrowBadInput("{}:{}: expected nom_voltage, in volt", file, group.line);
  }
  for (const LibertyGroup& inner : group.groups) {
    if (inner.name != "cell") continue;
    if (inner.arguments.empty()) ThrowBadInput("{}:{}: expected 'cell (NAME)'", file, inner.line);
    LibraryCell cell = ReadCell(inner, units);
    library.cells.emplace(cell.name, std::move(cell));
  }
  if (library.Smallest(CellKind::kFlipFlop, "+") == nullptr) {
    ThrowBadInput(
        "{}: no flip-flop with only a clock and a data input: expected a cell with "
        "'ff (...) {{ next_state : \"D\"; clocked_on : \"CK\"; }}'",
        file);
  }
  if (library.Follower(true) == nullptr) ThrowBadInput("{}: no inverter", file);
  library.text = std::move(text);
  return library;
}

CellLibrary ReadCellLibrary(const std::string& name) {
  const std::string file = Where(name);
  return MakeCellLibrary(ReadFile(file), file);
}

}  // namespace flagstone
