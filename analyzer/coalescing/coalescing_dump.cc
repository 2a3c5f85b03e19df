#include "analyzer/coalescing/coalescing_dump.h"

#include <fmt/core.h>

namespace flagstone {
namespace {

std::string ToText(const CoalescingMeasures& m) {
  std::string text;
  if (m.degree) {
    text =
        fmt::format("degree {:.2f} %, {} sector{} in range, {:.2f} expected", 100 * *m.degree,
                    m.sectors_in_range, m.sectors_in_range == 1 ? "" : "s", *m.sector_expectation);
  }
  if (m.sectors_per_request) {
    text += fmt::format("{}{:.2f} per request", text.empty() ? "" : ", ", *m.sectors_per_request);
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace

std::string ToString(const CoalescingGraph& graph) {
  std::string text;
  for (size_t first = 0; first < graph.size();) {
    size_t next = first + 1;
    while (next < graph.size() && graph[next] == graph[first]) ++next;
    if (graph[first] != 0) {
      text += text.empty() ? "" : ", ";
      text += next - first == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, next - 1);
      text += fmt::format(": {:.4g}", graph[first]);
    }
    first = next;
  }
  return text;
}

std::string Dump(std::span<const LoadCoalescing> loads) {
  std::string text;
  for (const LoadCoalescing& load : loads) {
    const CoalescingMeasures measures = Measure(std::span(&load, 1));
    text += fmt::format("load pc {}: {}\n", load.pc, ToText(measures));
    if (load.problem.empty()) text += "  threads by location: " + ToString(measures.graph) + "\n";
    for (const std::string& problem : {load.problem, load.request_problem}) {
      if (!problem.empty()) text += "  not known: " + problem + "\n";
      if (problem == load.request_problem) break;
    }
  }
  const CoalescingMeasures all = Measure(loads);
  text += fmt::format("kernel: {}\n", ToText(all));
  if (all.degree) text += "  threads by location: " + ToString(all.graph) + "\n";
  if (all.left_out != 0) {
    text += fmt::format("  {} of {} loads left out: their addresses are not known\n", all.left_out,
                        loads.size());
  }
  return text;
}

}  // namespace flagstone
