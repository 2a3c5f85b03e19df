#include "app/cli/experiment_list.h"

#include <fmt/core.h>

#include <map>

#include "app/cli/table.h"
#include "app/flow/reproduce/experiment.h"

namespace flagstone {
namespace {

constexpr size_t kSummaryColumns = 47;

std::string ShortSummary(const std::string& text) {
  return text.size() <= kSummaryColumns ? text : text.substr(0, kSummaryColumns - 2) + "..";
}

}  // namespace

Json ExperimentItems() {
  Json items = Json::array();
  for (const Experiment& experiment : AllExperiments()) {
    items.push_back(
        {{"name", experiment.name},
         {"paper", experiment.paper},
         {"table_of", experiment.table_of.empty() ? Json() : Json(experiment.table_of)},
         {"cases", experiment.grid ? experiment.grid->runs.size() : experiment.cases.size()},
         {"source", experiment.source},
         {"summary", experiment.description}});
  }
  return items;
}

std::string ExperimentTable(const Json& items) {
  std::map<std::string, size_t> tables;
  for (const Json& item : items) {
    if (!item["table_of"].is_null()) ++tables[item["table_of"]];
  }
  Table table;
  table.AddColumn("name", Table::Align::kLeft);
  table.AddColumn("paper", Table::Align::kLeft);
  table.AddColumn("cases", Table::Align::kRight);
  table.AddColumn("tables", Table::Align::kRight);
  table.AddColumn("summary", Table::Align::kLeft);
  std::string group;
  for (const Json& item : items) {
    if (!item["table_of"].is_null()) continue;
    const std::string name = item["name"];
    const std::string of = name.substr(0, name.find('-'));
    if (!group.empty() && of != group) table.AddRule();
    group = of;
    const size_t count = tables.contains(name) ? tables[name] : 0;
    table.AddRow({name, item["paper"], item["cases"].dump(),
                  count == 0 ? "" : fmt::format("{}", count), ShortSummary(item["summary"])});
  }
  return table.ToString() +
         "'flagstone list experiments --json' has all tables, whose names 'reproduce' takes too\n";
}

}  // namespace flagstone
