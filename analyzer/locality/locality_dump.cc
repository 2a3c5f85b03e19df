#include "analyzer/locality/locality_dump.h"

#include <fmt/core.h>

#include <iterator>
#include <span>

namespace flagstone {
namespace {

// "0-3,5": ascending ids, runs folded.
std::string Ids(std::span<const uint32_t> ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", ids[i]) : fmt::format("{}-{}", ids[i], ids[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string Dump(const Footprints& footprints) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const ArrayFootprints& array : footprints.arrays) {
    fmt::format_to(out, "array {}, elements of {} bytes\n", array.array, array.element_bytes);
    for (const FootprintClass& footprint : array.classes) {
      const std::vector<Range>& shape = array.shapes[footprint.shape];
      int64_t bytes = 0;
      const int64_t base = footprint.BaseOf(footprint.tbs.first);
      for (const Range& range : shape) bytes += range.end - range.begin;
      fmt::format_to(out, "  TBs {}: {} bytes in {} ranges", Ids(footprint.tbs.Ids(array.grid)),
                     bytes, shape.size());
      constexpr size_t kShown = 4;
      for (size_t r = 0; r < shape.size() && r < kShown; ++r) {
        fmt::format_to(out, " [{:#x},{:#x})", shape[r].begin + base, shape[r].end + base);
      }
      if (shape.size() > kShown) text += " ...";
      constexpr char kAxes[] = "xyz";
      for (size_t axis = 0; axis < 3; ++axis) {
        if (footprint.strides[axis] == 0 || footprint.tbs.count[axis] == 1) continue;
        fmt::format_to(out, ", {:+} per ctaid.{}", footprint.strides[axis], kAxes[axis]);
      }
      text += '\n';
    }
  }
  for (const SkippedLoad& load : footprints.skipped) {
    fmt::format_to(out, "skipped: load at pc {} line {}: {}\n", load.pc, load.line, load.reason);
  }
  return text;
}

std::string Dump(const SharerSets& sharers) {
  std::string text =
      fmt::format("{} TBs, {} units, {} of them read by all, {} loads skipped\n", sharers.tb_count,
                  sharers.total_references, sharers.shared_by_all, sharers.skipped_loads);
  for (const SharerFamily& family : sharers.families) {
    std::vector<uint32_t> tbs;
    for (const uint32_t offset : sharers.Offsets(family)) tbs.push_back(family.anchor + offset);
    fmt::format_to(std::back_inserter(text), "{} units: TBs {}", family.weight, Ids(tbs));
    for (size_t d = 0; d < 3; ++d) {
      if (family.count[d] == 1) continue;
      fmt::format_to(std::back_inserter(text), ", {} times by {}", family.count[d], family.step[d]);
    }
    text += '\n';
  }
  return text;
}

std::string Dump(const LocalityGraph& graph) {
  std::string text = fmt::format("{} TBs, {} edges, {} units shared by all\n", graph.tb_count,
                                 graph.EdgeCount(), graph.universal_weight);
  for (uint32_t tb = 0; tb < graph.tb_count; ++tb) {
    if (graph.row_start[tb] == graph.row_start[tb + 1]) continue;
    fmt::format_to(std::back_inserter(text), "{}:", tb);
    for (uint64_t e = graph.row_start[tb]; e < graph.row_start[tb + 1]; ++e) {
      fmt::format_to(std::back_inserter(text), " {}({})", graph.neighbour[e], graph.weight[e]);
    }
    text += '\n';
  }
  return text;
}

std::string Dump(const LocalityStatistics& statistics) {
  return fmt::format(
      "TBs {}\nedges {}\nsparsity score {:.9f}\ntotal references {}\nshared TBs {}\n"
      "degree of sharing {:.6f}\n",
      statistics.tbs, statistics.edges, statistics.sp_score, statistics.total_references,
      statistics.shared_tbs, statistics.degree_of_sharing);
}

}  // namespace flagstone
