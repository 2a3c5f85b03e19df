// Text tables for terminals: columns as wide as their cells, numbers to the right.
#ifndef FLAGSTONE_APP_CLI_TABLE_H_
#define FLAGSTONE_APP_CLI_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "base/numbers.h"  // Grouped

namespace flagstone {

// Tables fit a terminal of this width.
inline constexpr size_t kPageColumns = 100;

class Table {
 public:
  enum class Align { kLeft, kRight };

  void AddColumn(std::string header, Align align);
  // As many cells as there are columns.
  void AddRow(std::vector<std::string> cells);
  // A thin rule before the next row.
  void AddRule();
  size_t rows() const { return rows_.size(); }

  std::string ToString() const;

 private:
  struct Column {
    std::string header;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_TABLE_H_
