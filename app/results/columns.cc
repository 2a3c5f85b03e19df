#include "app/results/columns.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"
#include "base/numbers.h"

namespace flagstone {
namespace {

using Format = Column::Format;

// Of a statistic, unit and sentence stand in its own table.
struct Row {
  const char* name;
  const char* heading;
  Format format;
  int decimals;
  uint8_t tables;
  const char* unit = nullptr;
  const char* sentence = nullptr;
  bool from_compare = false;
};

constexpr uint8_t kCsv = Column::kCsv;
constexpr uint8_t kBoth = Column::kCsv | Column::kCompare | Column::kComparePrefetch;
constexpr uint8_t kPrefetch = Column::kComparePrefetch;

constexpr Row kRows[] = {
    {"workload", "workload", Format::kText, 0, kCsv, "", "Name of the workload."},
    {"size", "size", Format::kText, 0, kCsv, "", "Size of the workload's inputs."},
    {"machine", "machine", Format::kText, 0, kCsv, "", "Name of the machine."},
    {"settings", "settings", Format::kText, 0, kCsv, "",
     "Values of the machine that --set changed, as typed, with spaces between.", true},
    {"policy", "policy", Format::kText, 0, kCsv, "", "TB scheduling policy."},
    {"warp_scheduler", "warp scheduler", Format::kText, 0, kCsv, "", "Of each SM."},
    {"prefetcher", "prefetcher", Format::kText, 0, kCsv, "", "Of each SM."},
    {"engine", "engine", Format::kText, 0, kCsv, "",
     "Body of the hardware blocks in the run that computed the result."},
    {"config_hash", "configuration", Format::kText, 0, kCsv, "",
     "Hash of the machine as it ran, policy, seed, data and L2 start."},
    {"input_hash", "input", Format::kText, 0, kCsv, "", "Hash of the workload and its input."},
    {"cycles", "cycles", Format::kCount, 0, kBoth},
    {"warp_instructions", "warp instructions", Format::kCount, 0, kCsv},
    {"thread_instructions", "thread instructions", Format::kCount, 0, kCsv},
    {"ipc", "IPC", Format::kFixed, 1, kBoth},
    {"l1.accesses", "L1 accesses", Format::kCount, 0, kCsv},
    {"l1.misses", "L1 misses", Format::kCount, 0, kCsv},
    {"l1.miss_rate", "L1 miss", Format::kShare, 1, Column::kCsv | Column::kCompare},
    {"l2.accesses", "L2 accesses", Format::kCount, 0, Column::kCsv | Column::kCompare},
    {"l2.misses", "L2 misses", Format::kCount, 0, kCsv},
    {"dram.reads", "DRAM reads", Format::kCount, 0, kCsv},
    {"dram.writes", "DRAM writes", Format::kCount, 0, kCsv},
    {"tb.stolen", "stolen", Format::kCount, 0, kCsv},
    {"tbs_per_sm", "TBs per SM", Format::kCount, 0, kCsv},
    {"noc.request.packets", "L2 requests", Format::kCount, 0, kCsv},
    {"prefetch.demand_fetches", "fetches", Format::kCount, 0, kCsv},
    {"prefetch.issued", "prefetches", Format::kCount, 0, kCsv},
    {"prefetch.used", "used", Format::kCount, 0, kCsv},
    {"prefetch.late", "late", Format::kCount, 0, kCsv},
    {"prefetch.early_evicted", "early evicted", Format::kCount, 0, kCsv},
    {"prefetch.coverage", "cover", Format::kShare, 1, kPrefetch},
    {"prefetch.accuracy", "accur", Format::kShare, 1, kPrefetch},
    {"prefetch.early_rate", "early", Format::kShare, 1, kPrefetch},
    {"prefetch.distance.mean", "dist", Format::kFixed, 0, kCsv | kPrefetch},
    {"prefetch_overhead.l2_requests", "L2 req", Format::kMore, 1, kPrefetch, "share",
     "More requests from SMs to L2 than without prefetches.", true},
    {"prefetch_overhead.dram_reads", "DRAM", Format::kMore, 1, kPrefetch, "share",
     "More sectors read from DRAM than without prefetches.", true},
    {"host.kernel_and_jit_seconds", "kernel and JIT", Format::kFixed, 4, 0, "s",
     "The kernels' cycles on the machine's clock, and the analysis as timed when it was made."},
    {"host.kernel_and_lookup_seconds", "kernel and lookup", Format::kFixed, 4, 0, "s",
     "The same where each launch was analysed before."},
    {"perturbed.settings", "settings", Format::kCount, 0, kCsv, "",
     "Settings that the run had with --perturb; undefined without."},
    {"perturbed.cycles.mean", "mean cycles", Format::kFixed, 1, kCsv, "cycles",
     "Cycles in the mean over these settings."},
    {"perturbed.cycles.deviation", "deviation", Format::kFixed, 1, kCsv, "cycles",
     "The cycles' standard deviation over these settings."},
    {"compared.speedup.mean", "speed-up", Format::kFixed, 3, kCsv, "ratio",
     "The baseline's cycles over the run's, in the mean over settings.", true},
    {"compared.speedup.deviation", "deviation", Format::kFixed, 3, kCsv, "ratio",
     "The speed-up's standard deviation over settings.", true},
    {"checks_passed", "check", Format::kCheck, 0, kBoth, "",
     "Whether all results are right; undefined where nothing was checked: the workload has no "
     "[check], or --no-check left them out."},
};

Json::json_pointer Pointer(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return Json::json_pointer("/" + name);
}

Json At(const std::string& name, const Json& json) {
  const Json::json_pointer pointer = Pointer(name);
  return json.contains(pointer) ? json.at(pointer) : Json(nullptr);
}

// A column for any statistic, as it is without a row of its own.
std::optional<Column> OfStatistic(std::string_view name) {
  Column column;
  column.name = column.heading = name;
  column.statistic = true;
  for (const StatisticsField& field : StatisticsTable()) {
    if (field.name != name) continue;
    column.unit = field.unit;
    column.sentence = field.sentence;
    column.format = Format::kCount;
    return column;
  }
  for (const StatisticsRate& rate : StatisticsRates()) {
    if (rate.name != name) continue;
    column.unit = rate.unit;
    column.sentence = rate.sentence;
    column.format = rate.unit == "share" ? Format::kShare : Format::kFixed;
    column.decimals = 1;
    return column;
  }
  return std::nullopt;
}

Column OfRow(const Row& row) {
  Column column;
  if (row.sentence == nullptr) {
    std::optional<Column> statistic = OfStatistic(row.name);
    if (!statistic) ThrowInternal("column {} is no statistic and has no sentence", row.name);
    column = std::move(*statistic);
  } else {
    column.name = row.name;
    column.unit = row.unit;
    column.sentence = row.sentence;
  }
  column.heading = row.heading;
  column.format = row.format;
  column.decimals = row.decimals;
  column.tables = row.tables;
  column.from_compare = row.from_compare;
  return column;
}

Json ChecksPassed(const Json& run) {
  const Json& checks = run["checks"];
  if (checks.empty()) return nullptr;  // the workload has none, or they were left out
  return std::all_of(checks.begin(), checks.end(),
                     [](const Json& check) { return check["passed"].get<bool>(); });
}

}  // namespace

Json Column::Of(const Json& run) const {
  if (!run.is_object()) return nullptr;
  if (format == Format::kCheck) return ChecksPassed(run);
  return statistic ? OfLaunch(run.at("totals")) : At(name, run);
}

Json Column::OfLaunch(const Json& launch) const { return At(name, launch); }

std::string Column::Cell(const Json& value) const {
  if (value.is_null()) return format == Format::kCheck ? "none" : "-";
  switch (format) {
    case Format::kText:
      return value.get<std::string>();
    case Format::kCount:
      return Grouped(value.get<uint64_t>());
    case Format::kFixed:
      return fmt::format("{:.{}f}", value.get<double>(), decimals);
    case Format::kShare:
      return fmt::format("{:.{}f}%", 100 * value.get<double>(), decimals);
    case Format::kMore:
      return fmt::format("{:+.{}f}%", 100 * value.get<double>(), decimals);
    case Format::kCheck:
      return value.get<bool>() ? "passed" : "FAILED";
  }
  ThrowInternal("column {} has no format", name);
}

std::string Column::Cell(const Spread& spread) const {
  if (format == Format::kShare || format == Format::kMore) {
    const Spread percent = {100 * spread.mean, 100 * spread.deviation, spread.count};
    const char* const sign = format == Format::kMore && spread.mean >= 0 ? "+" : "";
    return fmt::format("{}{}%", sign, percent.ToText(decimals));
  }
  return spread.ToText(decimals);
}

std::span<const Column> Columns() {
  static const std::vector<Column> kColumns = [] {
    std::vector<Column> columns;
    for (const Row& row : kRows) columns.push_back(OfRow(row));
    return columns;
  }();
  return kColumns;
}

std::optional<Column> FindColumn(std::string_view name) {
  for (const Column& column : Columns()) {
    if (column.name == name) return column;
  }
  return OfStatistic(name);
}

std::string RelativeCell(const Json& value, const Json& base) {
  if (!value.is_number() || !base.is_number() || base.get<double>() == 0) return "-";
  return fmt::format("{:.3f}", value.get<double>() / base.get<double>());
}

std::string CsvName(const Column& column) {
  std::string name = column.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string CsvCell(const Json& value) {
  if (value.is_null()) return "";
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace flagstone
