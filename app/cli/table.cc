#include "app/cli/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace flagstone {

void Table::AddColumn(std::string header, Align align) {
  columns_.push_back({std::move(header), align});
}

void Table::AddRow(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::AddRule() { rows_.emplace_back(); }

std::string Table::ToString() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t width = columns_[c].header.size();
    for (const auto& row : rows_) {
      if (!row.empty()) width = std::max(width, row[c].size());
    }
    widths.push_back(width);
  }
  std::string text;
  const auto put_row = [&](const auto& cell) {
    std::string line;
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (c != 0) line += "  ";
      line += columns_[c].align == Align::kLeft ? fmt::format("{:<{}}", cell(c), widths[c])
                                                : fmt::format("{:>{}}", cell(c), widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  const auto put_rule = [&] { put_row([&](size_t c) { return std::string(widths[c], '-'); }); };
  put_row([&](size_t c) { return columns_[c].header; });
  put_rule();
  for (const auto& row : rows_) {
    if (row.empty()) {
      put_rule();
    } else {
      put_row([&](size_t c) { return row[c]; });
    }
  }
  return text;
}

}  // namespace flagstone
