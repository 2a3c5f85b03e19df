#include "app/cli/study_page.h"

#include <fmt/core.h>

#include <set>

#include "app/cli/kernel_study_page.h"
#include "app/cli/table.h"

namespace flagstone {
namespace {

constexpr size_t kLoadsShown = 4;  // as the paper's Fig. 4

std::string Percent(const Json& rate) {
  return rate.is_null() ? "-" : fmt::format("{:.1f}%", 100 * rate.get<double>());
}

std::string Iterations(const Json& rows) {
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  table.AddColumn("repeated/loads", Table::Align::kRight);
  for (const char* load : {"1st load", "2nd", "3rd", "4th"}) {
    table.AddColumn(load, Table::Align::kRight);
  }
  table.AddColumn("mean", Table::Align::kRight);
  for (const Json& row : rows) {
    std::vector<std::string> cells = {
        row["workload"],
        fmt::format("{}/{}", row["repeated"].get<uint32_t>(), row["loads"].get<uint32_t>())};
    double sum = 0;
    size_t shown = 0;
    for (const Json& value : row["iterations"]) {
      if (shown == kLoadsShown) break;
      ++shown;
      sum += value.get<double>();
      cells.push_back(fmt::format("{:.2f}", value.get<double>()));
    }
    for (size_t i = shown; i < kLoadsShown; ++i) cells.emplace_back("-");
    cells.push_back(shown == 0 ? "-" : fmt::format("{:.2f}", sum / static_cast<double>(shown)));
    table.AddRow(std::move(cells));
  }
  return table.ToString() +
         "repeated: more than once by a warp; then executions per warp of the loads that are\n"
         "executed most, and their mean\n";
}

std::string Distances(const Json& rows) {
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  for (const char* header :
       {"distance", "targets", "accuracy", "in the same TB", "accuracy there", "gap in cycles"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const Json& row : rows) {
    const Json& gap = row["gap"];
    table.AddRow({row["workload"], fmt::format("{}", row["distance"].get<uint32_t>()),
                  Grouped(row["targets"]), Percent(row["accuracy"]), Percent(row["same_tb"]),
                  Percent(row["accuracy_in_tb"]),
                  gap.is_null() ? "-" : fmt::format("{:.1f}", gap.get<double>())});
  }
  return table.ToString();
}

// Of the rows' values of `key` those that are not null, each once.
std::set<int64_t> Values(const Json& rows, const char* key) {
  std::set<int64_t> values;
  for (const Json& row : rows) {
    if (!row[key].is_null()) values.insert(row[key].get<int64_t>());
  }
  return values;
}

std::string Bases(const Json& rows) {
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  for (const char* header :
       {"TB", "(x, y, z)", "base in bytes", "from the TB before", "warps", "stride of its warps"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  const auto bytes = [](const Json& value) {
    return value.is_null() ? "-" : fmt::format("{}", value.get<int64_t>());
  };
  for (const Json& row : rows) {
    const Json& place = row["coordinates"];
    table.AddRow({row["workload"], fmt::format("{}", row["tb"].get<uint64_t>()),
                  fmt::format("({}, {}, {})", place[0].get<uint32_t>(), place[1].get<uint32_t>(),
                              place[2].get<uint32_t>()),
                  bytes(row["base"]), bytes(row["from_previous"]),
                  fmt::format("{}", row["warps"].get<uint32_t>()), bytes(row["stride"])});
  }
  return table.ToString() +
         fmt::format(
             "the first load of SM 0 in the first launch, a row for each TB there, in order;\n"
             "different strides between warps: {}, different distances between TBs: {}\n",
             Values(rows, "stride").size(), Values(rows, "from_previous").size());
}

}  // namespace

std::string StudyText(const LoadStudy& study, const Json& rows, const Json& summary) {
  switch (study.kind) {
    case LoadStudy::Kind::kIterations:
      return Iterations(rows);
    case LoadStudy::Kind::kWarpDistance:
      return Distances(rows);
    case LoadStudy::Kind::kTbBases:
      return Bases(rows);
    case LoadStudy::Kind::kCoalescing:
      return CoalescingStudyText(rows, summary);
    case LoadStudy::Kind::kLadm:
      return LadmStudyText(rows, summary);
    case LoadStudy::Kind::kSharing:
      return SharingStudyText(rows, summary);
  }
  return {};
}

}  // namespace flagstone
