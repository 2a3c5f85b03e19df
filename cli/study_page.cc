#include "cli/study_page.h"

#include <fmt/core.h>

#include "cli/kernel_study_page.h"
#include "cli/table.h"

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

}  // namespace

std::string StudyText(const LoadStudy& study, const Json& rows, const Json& summary) {
  switch (study.kind) {
    case LoadStudy::Kind::kIterations:
      return Iterations(rows);
    case LoadStudy::Kind::kWarpDistance:
      return Distances(rows);
    case LoadStudy::Kind::kCoalescing:
      return CoalescingStudyText(rows, summary);
    case LoadStudy::Kind::kLadm:
      return LadmStudyText(rows, summary);
  }
  return {};
}

}  // namespace flagstone
