// The table of figures that sets of runs are compared by. `compare`, its CSV, the page of a run and
// the metrics of experiments take names, units, values and formats from here: a new column is a row
// in columns.cc.
#ifndef FLAGSTONE_APP_RESULTS_COLUMNS_H_
#define FLAGSTONE_APP_RESULTS_COLUMNS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/results/run_json.h"
#include "base/spread.h"

namespace flagstone {

struct Column {
  enum class Format : uint8_t {
    kText,
    kCount,  // 1,234,567
    kFixed,  // with `decimals`
    kShare,  // 12.3%
    kMore,   // +12.3%
    kCheck,  // passed, FAILED, none
  };
  // The tables of `compare` that show it.
  enum Table : uint8_t { kCsv = 1, kCompare = 2, kComparePrefetch = 4 };

  std::string name;      // "l1.miss_rate"
  std::string heading;   // "L1 miss": over a column of a page
  std::string unit;      // "share"; empty: has none
  std::string sentence;  // what it says
  Format format = Format::kText;
  int decimals = 0;
  uint8_t tables = 0;         // Table's bits
  bool statistic = false;     // of StatisticsTable() or StatisticsRates(): launches have it too
  bool from_compare = false;  // found beside another run: only the records of `compare` have it

  bool IsIn(Table table) const { return (tables & table) != 0; }
  bool IsNumber() const { return format != Format::kText && format != Format::kCheck; }
  // From a `run` record. Null where it is undefined or absent.
  Json Of(const Json& run) const;
  // Of a statistic, from a launch or from totals.
  Json OfLaunch(const Json& launch) const;
  // The value as a page shows it; "-" for null, but "none" of a check.
  std::string Cell(const Json& value) const;
  // The same of a number under several settings (app/results/perturbed_json.h).
  std::string Cell(const Spread& spread) const;
};

// Those that a table of `compare` shows, in its order from left to right.
std::span<const Column> Columns();
// One of these, or any other statistic; none for an unknown name.
std::optional<Column> FindColumn(std::string_view name);

// A value relative to the same of a baseline, "1.234"; "-" where that is undefined.
std::string RelativeCell(const Json& value, const Json& base);

// "l1_miss_rate": a name as the head of a CSV column.
std::string CsvName(const Column& column);
// The value as CSV has it (RFC 4180); empty for null.
std::string CsvCell(const Json& value);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_COLUMNS_H_
