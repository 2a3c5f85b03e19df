#include "app/cli/analyze_seconds.h"

#include <fmt/core.h>

namespace flagstone {
namespace {

LaunchAnalysis::Seconds Total(const std::vector<AnalyzedLaunch>& launches) {
  LaunchAnalysis::Seconds total;
  for (const AnalyzedLaunch& launch : launches) {
    total.addresses += launch.analysis.seconds.addresses;
    total.execution += launch.analysis.seconds.execution;
    total.graph += launch.analysis.seconds.graph;
    total.partition += launch.analysis.seconds.partition;
    total.coalescing += launch.analysis.seconds.coalescing;
    total.cta_mapping += launch.analysis.seconds.cta_mapping;
    total.ladm += launch.analysis.seconds.ladm;
    total.statistics += launch.analysis.seconds.statistics;
  }
  return total;
}

}  // namespace

AnalyzeSeconds::AnalyzeSeconds(const std::vector<AnalyzedLaunch>& analyzed, double parse_seconds,
                               double all_seconds)
    : launches(Total(analyzed)),
      parse(parse_seconds),
      other(all_seconds - parse_seconds - launches.Total() - launches.ToRead()),
      all(all_seconds) {}

Json ToJson(const AnalyzeSeconds& seconds) {
  const LaunchAnalysis::Seconds& total = seconds.launches;
  return {{"parse", seconds.parse},           {"addresses", total.addresses},
          {"execution", total.execution},     {"graph", total.graph},
          {"partition", total.partition},     {"coalescing", total.coalescing},
          {"cta_mapping", total.cta_mapping}, {"ladm", total.ladm},
          {"statistics", total.statistics},   {"other", seconds.other}};
}

std::string SecondsLine(const AnalyzeSeconds& seconds, bool known_data) {
  const LaunchAnalysis::Seconds& total = seconds.launches;
  return fmt::format(
      "analysed in {:.2f} ms: parse {:.2f}, addresses {:.2f}, {}graph {:.2f}, partition "
      "{:.2f}, coalescing {:.2f}, CTA mapping {:.2f}, LADM {:.2f}, statistics {:.2f}, other "
      "{:.2f}\n",
      1e3 * seconds.all, 1e3 * seconds.parse, 1e3 * total.addresses,
      known_data ? fmt::format("execution {:.2f}, ", 1e3 * total.execution) : "", 1e3 * total.graph,
      1e3 * total.partition, 1e3 * total.coalescing, 1e3 * total.cta_mapping, 1e3 * total.ladm,
      1e3 * total.statistics, 1e3 * seconds.other);
}

}  // namespace flagstone
