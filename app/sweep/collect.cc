#include "app/sweep/collect.h"

#include <algorithm>
#include <optional>

#include "app/sweep/plan_axes.h"

namespace flagstone {
namespace {

using Type = SweepColumn::Type;

Type TypeOf(const SweepDimension& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(), IsWholeNumber) ? Type::kInteger
                                                                            : Type::kText;
}

Type TypeOf(const Column& column) {
  switch (column.format) {
    case Column::Format::kCheck:
      return Type::kBoolean;
    case Column::Format::kText:
      return Type::kText;
    case Column::Format::kCount:
      return Type::kInteger;
    default:
      return Type::kReal;
  }
}

std::string Underscored(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace

std::vector<SweepColumn> SweepColumns(const SweepPlan& plan,
                                      const std::vector<Column>& statistics) {
  std::vector<SweepColumn> columns;
  for (const char* name : {"machine", "workload", "size", "variant", "policy", "warp_scheduler",
                           "prefetcher", "engine"}) {
    columns.push_back({name, Type::kText});
  }
  for (size_t d = plan.FirstAxis(); d < plan.AxesEnd(); ++d) {
    const SweepDimension& axis = plan.space.dimensions[d];
    columns.push_back({Underscored(axis.key), TypeOf(axis)});
  }
  columns.push_back({"status", Type::kText});
  columns.push_back({"message", Type::kText});
  for (const Column& column : statistics) columns.push_back({CsvName(column), TypeOf(column)});
  return columns;
}

std::vector<Column> DefaultStatistics(const SweepPlan& plan) {
  std::vector<Column> columns;
  for (const Column& column : Columns()) {
    if (!column.IsIn(Column::kCsv)) continue;
    const bool spread = plan.common.perturb != 0 && column.name.starts_with("perturbed.");
    if (column.statistic || column.format == Column::Format::kCheck || spread) {
      columns.push_back(column);
    }
  }
  return columns;
}

void ForEachRow(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
                const std::vector<Column>& statistics,
                const std::function<void(const std::vector<Json>& row)>& visit) {
  std::vector<Json> row;
  for (size_t i = 0; i < state.size(); ++i) {
    const SweepPlaces places = plan.PlacesOf(i);
    const GridWorkload& workload = plan.WorkloadOf(places);
    const GridVariant& variant = plan.VariantOf(places);
    std::optional<StoredResult> result;
    if (state.IsDone(i)) result = store.Get(state.NameOf(i).ToText());
    const auto own = [&](const std::string& asked, const char* key) -> Json {
      if (!asked.empty()) return asked;
      return result ? Json(result->record[key]) : Json();  // the machine's
    };
    row.clear();
    row.insert(row.end(),
               {plan.MachineOf(places), workload.label,
                result ? result->record["size"] : Json(workload.size), variant.name, variant.policy,
                own(variant.warp_scheduler, "warp_scheduler"),
                own(variant.prefetcher, "prefetcher"), result ? result->record["engine"] : Json()});
    for (size_t d = plan.FirstAxis(); d < plan.AxesEnd(); ++d) {
      const SweepDimension& axis = plan.space.dimensions[d];
      const std::string& value = axis.values[places[d]];
      row.push_back(TypeOf(axis) == Type::kInteger ? Json(std::stoull(value)) : Json(value));
    }
    const PointFailure* failure = result ? nullptr : state.FailureOf(i);
    row.emplace_back(result ? "done" : failure != nullptr ? "failed" : "open");
    row.push_back(failure != nullptr ? Json(failure->message) : Json());
    for (const Column& column : statistics) {
      row.push_back(result ? column.Of(result->record) : Json());
    }
    visit(row);
  }
}

}  // namespace flagstone
