#include "synth/ram_macro.h"

#include <fmt/core.h>

#include <bit>
#include <nlohmann/json.hpp>

namespace flagstone {
namespace {

constexpr double kBitArea = 0.49;
constexpr double kColumnArea = 3 * 0.532 + 0.798;  // and a read gate for each kRowsPerGate rows
constexpr double kReadGateArea = 2 * 0.798;
constexpr uint32_t kRowsPerGate = 16;
constexpr double kRowArea = 2 * (1.064 + 1.330);
constexpr double kRowDriverArea = 2 * 1.330;  // for each kColumnsPerDriver columns after the first
constexpr uint32_t kColumnsPerDriver = 64;
constexpr double kIndexBitArea = 2 * (4.522 + 1.064);  // a register and its buffer, both ports

}  // namespace

uint32_t RamMacro::index_bits() const { return static_cast<uint32_t>(std::bit_width(depth - 1)); }

std::string RamMacro::cell_name() const { return fmt::format("ram_{}x{}", depth, width); }

double RamMacro::area_um2() const {
  const uint32_t gates = (depth + kRowsPerGate - 1) / kRowsPerGate;
  const uint32_t drivers = (width - 1) / kColumnsPerDriver;
  return static_cast<double>(bits()) * kBitArea + width * (kColumnArea + gates * kReadGateArea) +
         depth * (kRowArea + drivers * kRowDriverArea) + index_bits() * kIndexBitArea;
}

double RamMacro::leakage_nw() const {
  const double cells = static_cast<double>(bits());
  return cells * 2 + (area_um2() - cells * kBitArea) * 25;
}

double RamMacro::read_energy_fj(double voltage) const {
  return voltage * voltage * width * (0.35 + depth * 0.25 * 0.5 + 3);
}

double RamMacro::write_energy_fj(double voltage) const {
  // Both bit lines of a column, of which one moves whatever is written.
  return voltage * voltage * width * (0.35 + depth * 0.25 + 2);
}

double RamMacro::read_delay_ns() const {
  return (100 + index_bits() * 25 + 30 + width * 0.06 + 30 + depth * 1.5 + 40) / 1000;
}

std::vector<RamMacro> ReadRamMacros(const std::string& text) {
  std::vector<RamMacro> macros;
  const auto document = nlohmann::json::parse(text);
  for (const auto& [name, module] : document.at("modules").items()) {
    for (const auto& [memory, shape] : module.at("memories").items()) {
      macros.push_back({name, shape.at("width").get<uint32_t>(), shape.at("size").get<uint32_t>()});
    }
  }
  return macros;
}

std::string ToLiberty(const std::vector<RamMacro>& macros, double voltage) {
  std::string text = fmt::format(
      "library (ram_macros) {{\n  delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : "
      "\"1V\"; current_unit : \"1mA\"; leakage_power_unit : \"1nW\";\n"
      "  capacitive_load_unit (1, ff); nom_process : 1; nom_temperature : 25; nom_voltage : {};\n"
      "  slew_lower_threshold_pct_rise : 30; slew_upper_threshold_pct_rise : 70;\n"
      "  slew_lower_threshold_pct_fall : 30; slew_upper_threshold_pct_fall : 70;\n"
      "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
      "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n",
      voltage);
  for (const RamMacro& macro : macros) {
    const auto table = [](const char* kind, double value) {
      return fmt::format("{} (scalar) {{ values (\"{:.4f}\"); }} ", kind, value);
    };
    const auto arc = [&](const std::string& from, const char* type, double delay) {
      return fmt::format("timing () {{ related_pin : \"{}\"; {} {}{}{}{}}} ", from, type,
                         table("cell_rise", delay), table("cell_fall", delay),
                         table("rise_transition", 0.03), table("fall_transition", 0.03));
    };
    const auto input = [&](const std::string& pin) {
      const std::string check =
          fmt::format("timing () {{ related_pin : \"clk_i\"; timing_type : setup_rising; {}{}}} ",
                      table("rise_constraint", 0.06), table("fall_constraint", 0.06));
      return fmt::format("    pin ({}) {{ direction : input; capacitance : 2; {}}}\n", pin, check);
    };
    const auto bit = [](const char* name, uint32_t index, uint32_t width) {
      return width == 1 ? std::string(name) : fmt::format("{}_{}", name, index);
    };
    text += fmt::format("  cell ({}) {{\n    area : {:.3f}; cell_leakage_power : {:.3f};\n",
                        macro.cell_name(), macro.area_um2(), macro.leakage_nw());
    text += "    pin (clk_i) { direction : input; capacitance : 4; clock : true; }\n";
    text += input("write_valid_i");
    const uint32_t indices = macro.index_bits();
    for (uint32_t i = 0; i < indices; ++i) text += input(bit("write_index_i", i, indices));
    for (uint32_t i = 0; i < indices; ++i) text += input(bit("read_index_i", i, indices));
    for (uint32_t i = 0; i < macro.width; ++i) {
      text += input(bit("write_data_i", i, macro.width));
    }
    for (uint32_t i = 0; i < macro.width; ++i) {
      text += fmt::format("    pin ({}) {{ direction : output; max_capacitance : 100; ",
                          bit("read_data_o", i, macro.width));
      text += arc("clk_i", "timing_type : rising_edge; timing_sense : non_unate;",
                  macro.read_delay_ns());
      text += "}\n";
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace flagstone
