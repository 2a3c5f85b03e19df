#include "app/cli/locality_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "app/cli/table.h"

namespace flagstone {
namespace {

class Page {
 public:
  template <class... Args>
  void Heading(fmt::format_string<Args...> format, Args&&... args) {
    text_ += '\n';
    text_ += fmt::format(format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  template <class... Args>
  void Line(const char* name, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), "  {:<22} {}\n", name,
                   fmt::format(format, std::forward<Args>(args)...));
  }
  void Add(const std::string& text) { text_ += text; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

void PutGraph(const LaunchAnalysis& a, const std::string& granularity, Page& page) {
  const LocalityStatistics& s = a.statistics;
  page.Heading("locality graph ({} granularity)", granularity);
  page.Line("TBs", "{}", Grouped(s.tbs));
  if (s.counted) {
    page.Line("edges", "{} (off-diagonal non-zeros {}, SpScore {:.9f})", Grouped(s.edges),
              Grouped(2 * s.edges), s.sp_score);
  } else {
    page.Line("edges", "too many to count");
  }
  if (s.counted || s.total_references != 0) {
    page.Line("data references", "{}", Grouped(s.total_references));
  }
  if (a.sharers.shared_by_all != 0) {
    page.Line("read by all TBs", "{}, left out of the edges", Grouped(a.sharers.shared_by_all));
  }
  if (s.counted) page.Line("shared TBs", "{}", Grouped(s.shared_tbs));
  if (s.shared_tbs != 0) page.Line("degree of sharing", "{:.6f}", s.degree_of_sharing);
  if (a.distribution && s.total_references != 0) {
    const auto percent = [&](uint64_t units) {
      return 100 * static_cast<double>(units) / static_cast<double>(s.total_references);
    };
    page.Line("data by readers",
              "unshared {:.1f} %, intra-TB {:.1f} %, inter-TB {:.1f} %, both {:.1f} %",
              percent(a.distribution->unshared), percent(a.distribution->intra_tb),
              percent(a.distribution->inter_tb), percent(a.distribution->both));
  }
  for (const SkippedLoad& load : a.footprints.skipped) {
    page.Line("left out", "load in line {}: {}", load.line, load.reason);
  }
  for (const std::string& problem : a.problems) page.Line("not analysed", "{}", problem);
}

void PutGroups(const LaunchAnalysis& a, const std::string& policy, Page& page) {
  if (a.groups.groups.empty()) return;
  size_t smallest = a.groups.groups[0].size();
  size_t largest = 0;
  for (const auto& group : a.groups.groups) {
    smallest = std::min(smallest, group.size());
    largest = std::max(largest, group.size());
  }
  page.Heading("groups ({})", policy);
  page.Line("groups", "{} of {} to {} TBs", a.groups.groups.size(), smallest, largest);
  const auto loads = std::count_if(a.addresses.accesses.begin(), a.addresses.accesses.end(),
                                   [](const AddressForm& access) { return !access.is_store; });
  const size_t left_out = a.footprints.skipped.size();
  // Of nothing, all is kept: what is not known is no figure.
  if (left_out != 0 && left_out == static_cast<size_t>(loads)) {
    page.Line("kept weight", "not known: all {} loads are left out", loads);
  } else {
    const std::string of = left_out == 0
                               ? ""
                               : fmt::format(", of what {} of {} loads read",
                                             loads - static_cast<int64_t>(left_out), loads);
    page.Line("kept weight", "{:.1f} % of the edges' weight lies inside groups{}",
              100 * a.kept_weight, of);
    page.Line("union footprint", "{:.3f} of the TBs' summed footprints{}", a.union_ratio, of);
  }
  std::string first;
  for (const uint32_t tb : a.groups.groups[0]) {
    first += fmt::format("{}{}", first.empty() ? "" : " ", tb);
    if (first.size() > 60) break;
  }
  page.Line("first group", "{}{}", first, first.size() > 60 ? " ..." : "");
  if (!a.prediction) return;
  const GroupPrediction& p = *a.prediction;
  page.Line("prediction", "{} runs: {}", p.runs, ToString(p.reason));
  page.Line("", "{} takes {:.3f} of lrr's cycles, {:.3f} of its L2 traffic", p.fastest,
            p.cycles / std::max(1.0, p.lrr_cycles), p.l2_bytes / std::max(1.0, p.lrr_l2_bytes));
}

void PutPolicies(const std::vector<PolicyFigures>& policies, Page& page) {
  if (policies.empty()) return;
  page.Heading("policies");
  Table table;
  table.AddColumn("policy", Table::Align::kLeft);
  for (const char* header : {"groups", "TBs", "kept", "union", "ms"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const PolicyFigures& row : policies) {
    table.AddRow({std::string(row.policy), Grouped(row.groups),
                  row.smallest == row.largest ? std::to_string(row.largest)
                                              : fmt::format("{}-{}", row.smallest, row.largest),
                  fmt::format("{:.3f}", row.kept_weight), fmt::format("{:.3f}", row.union_ratio),
                  fmt::format("{:.2f}", 1e3 * row.seconds)});
  }
  page.Add(table.ToString());
  page.Add(
      "kept: share of the pairs' weight inside groups; union: what groups read, of what their\n"
      "TBs read one by one; lrr: as if TBs that start together were a group\n");
}

// One line for all: what each of them depends on stands in the table of loads.
void PutLeftOut(const std::vector<SkippedLoad>& left_out, Page& page) {
  if (left_out.empty()) return;
  constexpr size_t kMostLines = 8;
  std::string lines;
  for (size_t i = 0; i < left_out.size() && i < kMostLines; ++i) {
    lines += fmt::format("{}{}", i == 0 ? "" : ", ", left_out[i].line);
  }
  page.Line("left out", "{} load{} of unknown addresses, line{} {}{}", left_out.size(),
            left_out.size() == 1 ? "" : "s", left_out.size() == 1 ? "" : "s", lines,
            left_out.size() > kMostLines ? ", ..." : "");
}

void PutMapping(const std::optional<CtaMapping>& mapping, Page& page) {
  if (!mapping) return;
  page.Heading("CTA mapping");
  page.Line("direction", "{}", ToString(mapping->direction));
  page.Line("along x", "distance {}, {} units shared in a row", mapping->distance_x,
            Grouped(mapping->weight_x));
  page.Line("along y", "distance {}, {} units shared in a column", mapping->distance_y,
            Grouped(mapping->weight_y));
  if (mapping->unsolved_pairs != 0) {
    page.Line("not solved", "{} of {} pairs of loads", mapping->unsolved_pairs, mapping->pairs);
  }
  PutLeftOut(mapping->left_out, page);
}

// The groups of Algorithm 2, where there are loads.
void PutWarpGroups(const std::vector<WarpGroup>& groups, Page& page) {
  for (const WarpGroup& group : groups) {
    if (group.reason == WarpGroup::Reason::kNoLoads) continue;
    const std::string where = group.loop == WarpGroup::kNoLoop
                                  ? "outside of loops"
                                  : fmt::format("in the loop of line {}", group.line);
    const std::string found =
        fmt::format("{}, {}{} fit in the L1",
                    group.reuse_warps == 0 ? "no two share a line"
                                           : fmt::format("{} share lines", group.reuse_warps),
                    group.fitting_warps, group.fits_more ? "+" : "");
    switch (group.reason) {
      case WarpGroup::Reason::kNone:
        page.Line("warps first", "{} {}: {}; bound {}", group.size, where, found, group.bound);
        break;
      case WarpGroup::Reason::kAllFit:
        page.Line("warps first", "none {}: {}; {}", where, ToString(group.reason), found);
        break;
      default:
        page.Line("warps first", "none {}: {}", where, ToString(group.reason));
    }
  }
}

}  // namespace

std::string LocalityPage(const AnalyzedLaunch& analyzed, const std::string& granularity,
                         const std::string& policy) {
  Page page;
  PutGraph(analyzed.analysis, granularity, page);
  PutGroups(analyzed.analysis, policy, page);
  PutPolicies(analyzed.policies, page);
  PutMapping(analyzed.analysis.cta_mapping, page);
  PutWarpGroups(analyzed.analysis.warp_groups, page);
  return page.Take();
}

}  // namespace flagstone
