#include "analyzer/locality/graph_writer.h"

#include <fmt/core.h>

#include <iterator>

#include "base/error.h"
#include "base/file.h"

namespace flagstone {

std::string ToMetis(const LocalityGraph& graph) {
  std::string text = fmt::format("% vertices are TBs from 1; {} units shared by all are left out\n",
                                 graph.universal_weight);
  fmt::format_to(std::back_inserter(text), "{} {} 001\n", graph.tb_count, graph.EdgeCount());
  for (size_t tb = 0; tb < graph.tb_count; ++tb) {
    for (uint64_t e = graph.row_start[tb]; e < graph.row_start[tb + 1]; ++e) {
      fmt::format_to(std::back_inserter(text), "{}{} {}", e == graph.row_start[tb] ? "" : " ",
                     graph.neighbour[e] + 1, graph.weight[e]);
    }
    text += '\n';
  }
  return text;
}

std::string ToGraphMl(const LocalityGraph& graph) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
      "  <key id=\"universal_weight\" for=\"graph\" attr.name=\"universal_weight\" "
      "attr.type=\"long\"/>\n"
      "  <graph id=\"locality\" edgedefault=\"undirected\">\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "    <data key=\"universal_weight\">{}</data>\n", graph.universal_weight);
  for (uint32_t tb = 0; tb < graph.tb_count; ++tb) {
    fmt::format_to(out, "    <node id=\"n{}\"/>\n", tb);
  }
  for (uint32_t tb = 0; tb < graph.tb_count; ++tb) {
    for (uint64_t e = graph.row_start[tb]; e < graph.row_start[tb + 1]; ++e) {
      if (graph.neighbour[e] < tb) continue;
      fmt::format_to(out,
                     "    <edge source=\"n{}\" target=\"n{}\"><data key=\"weight\">{}</data>"
                     "</edge>\n",
                     tb, graph.neighbour[e], graph.weight[e]);
    }
  }
  text += "  </graph>\n</graphml>\n";
  return text;
}

void WriteGraph(const LocalityGraph& graph, const std::filesystem::path& path) {
  if (path.extension() == ".graph") return WriteFileAtomically(path, ToMetis(graph));
  if (path.extension() == ".graphml") return WriteFileAtomically(path, ToGraphMl(graph));
  ThrowBadInput("'{}': a graph file ends in .graph (METIS) or .graphml, not in '{}'", path.string(),
                path.extension().string());
}

}  // namespace flagstone
