#include "app/cli/synth_tables.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <initializer_list>

#include "app/cli/table.h"

namespace flagstone {
namespace {

// The PAVER paper's machines, and CAPS's.
constexpr std::array<double, 4> kPointsMhz = {700, 1000, 1200, 1400};

// Whether a row's parameter has the value that all rows of its block have: it says nothing.
bool IsUsual(const SynthBlock& block, const SynthParameter& parameter) {
  if (parameter.name == "NumSm") return false;
  bool in_a_row = false;
  for (const SynthBlock& row : SynthBlocks()) {
    if (row.name != block.name) continue;
    for (const SynthParameter& usual : row.parameters) {
      if (usual.name != parameter.name) continue;
      if (usual.value != parameter.value) return false;
      in_a_row = true;
    }
  }
  return in_a_row;
}

std::string Rounded(double value) {
  return value >= 100 ? WholeText(value) : fmt::format("{:.1f}", value);
}

std::string Name(const SynthResult& result) {
  const std::string parameters = ParameterText(result.block);
  return fmt::format("{}{}{}", result.block.name, parameters.empty() ? "" : " ", parameters);
}

std::string EnergyText(const SynthResult& result) {
  if (result.energy_pj) return fmt::format("{:.2f}", *result.energy_pj);
  const auto energy = result.default_energy_pj();
  return energy ? fmt::format("~{:.2f}", *energy) : "-";
}

std::string MhzText(double mhz) { return mhz > 0 ? WholeText(mhz) : "-"; }

Table ColumnsAfterBlock(std::initializer_list<const char*> headers) {
  Table table;
  table.AddColumn("block", Table::Align::kLeft);
  for (const char* header : headers) table.AddColumn(header, Table::Align::kRight);
  return table;
}

}  // namespace

std::string WholeText(double value) { return Grouped(static_cast<uint64_t>(std::llround(value))); }

std::string ParameterText(const SynthBlock& block) {
  std::string text;
  for (const SynthParameter& parameter : block.parameters) {
    if (IsUsual(block, parameter)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, parameter.value);
  }
  return text;
}

// Two tables: all columns beside each other are too wide for a page.
std::string SynthText(const std::vector<SynthResult>& results) {
  Table area =
      ColumnsAfterBlock({"cells", "flip-flops", "um2", "sequential", "combinational", "storage"});
  Table rest = ColumnsAfterBlock({"depth", "MHz", "mapped for", "leakage uW", "pJ", "s"});
  for (const SynthResult& result : results) {
    area.AddRow({Name(result), Grouped(result.cells), Grouped(result.flip_flops),
                 Rounded(result.area_um2), Rounded(result.sequential_um2),
                 Rounded(result.combinational_um2), Rounded(result.storage_um2)});
    rest.AddRow({Name(result), fmt::format("{}", result.logic_depth),
                 result.fmax_mhz > 0 ? fmt::format("{:.0f}", result.fmax_mhz) : "-",
                 fmt::format("{:.0f}", result.block.clock_mhz), Rounded(result.leakage_uw),
                 EnergyText(result), fmt::format("{:.1f}", result.seconds)});
  }
  return area.ToString() + "\n" + rest.ToString();
}

std::vector<SynthBlock> AtEachPoint(const std::vector<SynthBlock>& blocks) {
  std::vector<SynthBlock> points;
  for (const SynthBlock& block : blocks) {
    for (const double mhz : kPointsMhz) {
      points.push_back(block);
      points.back().clock_mhz = mhz;
    }
  }
  return points;
}

std::string PointsText(const std::vector<SynthResult>& results) {
  Table table;
  table.AddColumn("block", Table::Align::kLeft);
  for (const double mhz : kPointsMhz) {
    table.AddColumn(fmt::format("um2 @{:.0f}", mhz), Table::Align::kRight);
    table.AddColumn("MHz", Table::Align::kRight);
  }
  for (size_t i = 0; i + kPointsMhz.size() <= results.size(); i += kPointsMhz.size()) {
    std::vector<std::string> row = {Name(results[i])};
    for (size_t point = 0; point < kPointsMhz.size(); ++point) {
      const SynthResult& result = results[i + point];
      row.push_back(Rounded(result.area_um2));
      row.push_back(MhzText(result.fmax_mhz));
    }
    table.AddRow(std::move(row));
  }
  return table.ToString();
}

}  // namespace flagstone
