#include "cli/prefetch_tables.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "cli/table.h"

namespace flagstone {
namespace {

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string Mean(uint64_t sum, uint64_t count) {
  if (count == 0) return "-";
  return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count));
}

std::string Percent(const Json& share, const char* format = "{:.1f}%") {
  return share.is_number() ? fmt::format(fmt::runtime(format), 100 * share.get<double>()) : "-";
}

Json More(const Json& with, const Json& without) {
  if (!with.is_number() || !without.is_number() || without.get<double>() == 0) return nullptr;
  return with.get<double>() / without.get<double>() - 1;
}

}  // namespace

std::vector<FigureLine> PrefetchLines(const PrefetchStatistics& p) {
  return {
      {"prefetches",
       fmt::format("{} issued (coverage {}), {} used, {} too early, {} wrong", Grouped(p.issued),
                   Share(p.issued, p.demand_fetches), Share(p.used, p.issued),
                   Share(p.too_early, p.issued), Share(p.early_evicted - p.too_early, p.issued))},
      {"  distance", fmt::format("{} cycles on average; {} of the used came late",
                                 Mean(p.distance.cycles, p.distance.count), Share(p.late, p.used))},
      {"  dropped", fmt::format("{} in the L1, {} in flight, {} too late, {} withdrawn",
                                Grouped(p.dropped.present), Grouped(p.dropped.in_flight),
                                Grouped(p.dropped.passed), Grouped(p.dropped.withdrawn))},
      {"  merged", fmt::format("{} in flight for demand loads; with these coverage {}, {} used",
                               Grouped(p.merged), Share(p.issued + p.merged, p.demand_fetches),
                               Share(p.used + p.merged, p.issued + p.merged))},
      {"  events", fmt::format("{} loads throttled, {} warps woken", Grouped(p.throttle_events),
                               Grouped(p.wakes))}};
}

std::string LoadPrefetchTable(const RunResult& result) {
  std::map<std::pair<std::string, uint32_t>, LoadPrefetches> loads;
  for (const LaunchResult& launch : result.launches) {
    for (const LoadPrefetches& load : launch.load_prefetches) {
      const auto [place, fresh] = loads.try_emplace({launch.entry, load.pc}, load);
      if (!fresh) place->second += load;
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
                  Share(load.early_evicted, load.issued), Mean(load.distance_cycles, load.used),
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

std::vector<std::string> PrefetchColumns() {
  return {"cover", "accur", "early", "dist", "L2 req", "DRAM"};
}

std::vector<std::string> PrefetchCells(const Json& totals, const Json& overhead) {
  const Json& p = totals["prefetch"];
  const Json& mean = p["distance"]["mean"];
  return {Percent(p["coverage"]),
          Percent(p["accuracy"]),
          Percent(p["early_rate"]),
          mean.is_number() ? fmt::format("{:.0f}", mean.get<double>()) : "-",
          Percent(overhead["l2_requests"], "{:+.1f}%"),
          Percent(overhead["dram_reads"], "{:+.1f}%")};
}

}  // namespace flagstone
