#include "app/cli/loads_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "app/cli/table.h"

namespace flagstone {
namespace {

constexpr size_t kLongestArray = 16;

std::string Shortened(std::string text, size_t columns) {
  if (text.size() > columns) text = text.substr(0, columns - 3) + "...";
  return text;
}

// "128 bx + 2048 by + 4 tx + 8 i0": zero terms and the constant left out. Of indirect loads, the
// loads before them with their lines: "through row_start (40) column (64)".
std::string FormText(const AddressForm& access) {
  if (!access.chain.empty()) {
    std::string text = access.pattern == AddressClass::kAffine ? access.reason + ", " : "";
    text += access.IsFromConstantTable() ? "pointer from a constant table:" : "through";
    for (const LoadLink& link : access.chain) {
      text += fmt::format(" {} ({})", link.array, link.line);
    }
    return text;
  }
  if (access.address_class != AddressClass::kAffine) return access.reason;
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  std::string text;
  const auto put = [&](int64_t coefficient, const std::string& name) {
    if (coefficient == 0) return;
    const char* const sign = coefficient < 0 ? "-" : "+";
    const auto magnitude = coefficient < 0 ? uint64_t{0} - static_cast<uint64_t>(coefficient)
                                           : static_cast<uint64_t>(coefficient);
    text += text.empty() ? (coefficient < 0 ? "-" : "") : fmt::format(" {} ", sign);
    text += fmt::format("{} {}", magnitude, name);
  };
  for (size_t d = 0; d < 3; ++d) put(access.form.ctaid[d], std::string("b") + kAxes[d]);
  for (size_t d = 0; d < 3; ++d) put(access.form.tid[d], std::string("t") + kAxes[d]);
  for (size_t l = 0; l < access.form.loops.size(); ++l) {
    put(access.form.loops[l], fmt::format("i{}", l));
  }
  if (text.empty()) text = "the same for all threads";
  const bool never = !access.guards.empty() && access.guards[0].form == AffineForm{.constant = -1};
  if (never) return text + "  (never)";
  if (!access.guards.empty()) text += fmt::format("  ({} guards)", access.guards.size());
  return text;
}

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string Number(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

}  // namespace

std::string LoadsTable(const AnalyzedLaunch& analyzed) {
  const std::vector<LoadCoalescing>& coalescing = analyzed.analysis.coalescing;
  static constexpr const char* kHeader[] = {"line",   "array",      "bytes",
                                            "degree", "sect./req.", "class"};
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> forms;
  for (const AddressForm& access : analyzed.analysis.addresses.accesses) {
    if (access.is_store) continue;
    CoalescingMeasures measures;
    if (rows.size() < coalescing.size()) measures = Measure(std::span(&coalescing[rows.size()], 1));
    rows.push_back({std::to_string(access.line), Shortened(access.array, kLongestArray),
                    access.bytes == 0 ? "?" : std::to_string(access.TotalBytes()),
                    Percent(measures.degree), Number(measures.sectors_per_request),
                    std::string(access.address_class == AddressClass::kAffine && access.IsUniform()
                                    ? "uniform"
                                    : ToString(access.address_class))});
    forms.push_back(FormText(access));
  }
  if (rows.empty()) return "no global loads\n";
  Table table;
  size_t used = 0;
  for (size_t c = 0; c < std::size(kHeader); ++c) {
    const bool text = c == 1 || c == 5;
    table.AddColumn(kHeader[c], text ? Table::Align::kLeft : Table::Align::kRight);
    size_t width = std::string_view(kHeader[c]).size();
    for (const auto& row : rows) width = std::max(width, row[c].size());
    used += width + 2;
  }
  table.AddColumn("address in bytes, or why there is none", Table::Align::kLeft);
  for (size_t r = 0; r < rows.size(); ++r) {
    rows[r].push_back(Shortened(forms[r], kPageColumns - used));
    table.AddRow(rows[r]);
  }
  std::string text = table.ToString() +
                     "b: ctaid, t: tid, i: loop counters; degree and sectors per request: see "
                     "docs/analyzer.md\n";
  if (!coalescing.empty()) {
    const CoalescingMeasures m = Measure(coalescing);
    text += fmt::format(
        "\ncoalescing\n  {:<22} {}{}\n  {:<22} {} in the range, {} expected, {} executed\n",
        "degree", Percent(m.degree),
        m.left_out == 0 ? "" : fmt::format(" ({} loads left out)", m.left_out), "sectors a request",
        m.sectors_in_range, Number(m.sector_expectation), Number(m.sectors_per_request));
  }
  return text;
}

}  // namespace flagstone
