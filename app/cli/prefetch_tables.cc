#include "app/cli/prefetch_tables.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "app/cli/table.h"

namespace flagstone {
namespace {

// Of a load, over all launches.
struct LoadFigures {
  uint32_t line = 0;
  bool indirect = false;
  uint64_t demand_fetches = 0, issued = 0, used = 0, late = 0, early_evicted = 0;
  uint64_t distance_cycles = 0;
};

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string MeanOf(uint64_t sum, uint64_t count) {
  if (count == 0) return "-";
  return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count));
}

Json More(const Json& with, const Json& without) {
  if (!with.is_number() || !without.is_number() || without.get<double>() == 0) return nullptr;
  return with.get<double>() / without.get<double>() - 1;
}

}  // namespace

std::string LoadPrefetchTable(const Json& record) {
  std::map<std::pair<std::string, uint32_t>, LoadFigures> loads;
  for (const Json& launch : record["launches"]) {
    for (const Json& load : launch["load_prefetches"]) {
      LoadFigures& sum = loads[{launch["kernel"], load["pc"]}];
      sum.line = load["line"];
      sum.indirect = load["indirect"];
      sum.demand_fetches += load["demand_fetches"].get<uint64_t>();
      sum.issued += load["issued"].get<uint64_t>();
      sum.used += load["used"].get<uint64_t>();
      sum.late += load["late"].get<uint64_t>();
      sum.early_evicted += load["early_evicted"].get<uint64_t>();
      sum.distance_cycles += load["distance_cycles"].get<uint64_t>();
    }
  }
  if (loads.empty()) return "";
  Table table;
  table.AddColumn("kernel", Table::Align::kLeft);
  for (const char* header :
       {"line", "fetches", "prefetches", "used", "late", "early", "distance"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  table.AddColumn("", Table::Align::kLeft);
  for (const auto& [key, load] : loads) {
    std::string kernel = key.first;
    if (kernel.size() > 24) kernel = kernel.substr(0, 21) + "...";
    table.AddRow({kernel, fmt::format("{}", load.line), Grouped(load.demand_fetches),
                  Grouped(load.issued), Share(load.used, load.issued), Share(load.late, load.used),
                  Share(load.early_evicted, load.issued), MeanOf(load.distance_cycles, load.used),
                  load.indirect ? "indirect" : ""});
  }
  return table.ToString();
}

Json PrefetchOverhead(const Json& totals, const Json& totals_without) {
  if (!totals_without.is_object()) return {{"l2_requests", nullptr}, {"dram_reads", nullptr}};
  return {{"l2_requests",
           More(totals["noc"]["request"]["packets"], totals_without["noc"]["request"]["packets"])},
          {"dram_reads", More(totals["dram"]["reads"], totals_without["dram"]["reads"])}};
}

}  // namespace flagstone
