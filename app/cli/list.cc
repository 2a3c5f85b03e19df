// `flagstone list`: what there is to run, and on what.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "app/cli/experiment_list.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "app/cli/workload_list.h"
#include "app/policy/policies.h"
#include "app/results/columns.h"
#include "base/error.h"
#include "gpu_model/machines/machine_fields.h"
#include "kernels/launch/workload.h"
#include "systemc/cosim/block_registry.h"

namespace flagstone {
namespace {

Json Machines() {
  Json items = Json::array();
  for (const std::string& name : ListMachines()) {
    const MachineConfig machine = MachineConfig::Load(name, {});
    items.push_back({{"name", name},
                     {"sms", machine.sm.count},
                     {"core_mhz", machine.clock.core},
                     {"l1_kib", machine.sm.l1.size_kib},
                     {"l2_kib", machine.l2.slices * machine.l2.cache.size_kib},
                     {"summary", machine.description}});
  }
  return items;
}

template <class Items>
Json Named(const Items& source) {
  Json items = Json::array();
  for (const auto& item : source) items.push_back({{"name", item.name}, {"summary", item.summary}});
  return items;
}

Json Blocks() {
  Json items = Json::array();
  for (const BlockRow& block : BlockRows()) {
    Json parameters = Json::object();
    std::string text;
    for (const BlockParameter& p : block.parameters) {
      const std::string range = p.only.empty() ? fmt::format("{} to {}", p.low, p.high)
                                               : fmt::format("{}", fmt::join(p.only, " or "));
      parameters[std::string(p.name)] = {{"default", p.standard}, {"range", range}};
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", p.name, p.standard);
    }
    items.push_back({{"name", block.name},
                     {"summary", block.summary},
                     {"defaults", text},
                     {"parameters", parameters}});
  }
  return items;
}

// The keys of --set and of machine files, with the values of the default machine.
Json Keys() {
  const MachineConfig standard = MachineConfig::Load(CommonOptions().machine, {});
  Json items = Json::array();
  for (const MachineField& field : MachineFields()) {
    if (!IsSetting(field)) continue;
    std::string sentence(field.sentence);
    if (field.choice != nullptr) sentence += fmt::format(": {}", fmt::join(field.names, " or "));
    std::string value = ValueText(field, standard);
    if (!field.unit.empty()) value += fmt::format(" {}", field.unit);
    items.push_back({{"name", field.key},
                     {"unit", field.unit},
                     {"default", std::move(value)},
                     {"summary", std::move(sentence)}});
    if (field.integer == nullptr && field.wide == nullptr) continue;
    items.back()["least"] = field.min;
    items.back()["most"] = field.max;
  }
  return items;
}

Json Statistics() {
  Json items = Json::array();
  const auto add = [&](const auto& row) {
    items.push_back({{"name", row.name}, {"unit", row.unit}, {"summary", row.sentence}});
  };
  for (const StatisticsField& field : StatisticsTable()) add(field);
  for (const StatisticsRate& rate : StatisticsRates()) add(rate);
  return items;
}

Json ComparedColumns() {
  Json items = Json::array();
  for (const Column& column : Columns()) {
    items.push_back({{"name", column.name},
                     {"heading", column.heading},
                     {"unit", column.unit},
                     {"summary", column.sentence},
                     {"csv", column.IsIn(Column::kCsv)},
                     {"compare", column.IsIn(Column::kCompare)},
                     {"compare_prefetch", column.IsIn(Column::kComparePrefetch)}});
  }
  return items;
}

// One visible table of the kinds. JSON has all keys of an item; the text table has `columns`, or is
// made by `table`.
struct Kind {
  const char* name;
  std::vector<std::string> columns;
  std::function<Json()> items;
  std::function<std::string(const Json&)> table = nullptr;
};

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kKinds = {
      {"workloads", {}, WorkloadItems, WorkloadTable},
      {"machines", {"name", "sms", "summary"}, Machines},
      {"keys", {"name", "default", "summary"}, Keys},
      {"policies", {"name", "summary"}, [] { return Named(Policies()); }},
      {"schedulers", {"name", "summary"}, [] { return Named(WarpSchedulers()); }},
      {"prefetchers", {"name", "summary"}, [] { return Named(Prefetchers()); }},
      {"blocks", {"name", "summary"}, Blocks},
      {"experiments", {}, ExperimentItems, ExperimentTable},
      {"statistics", {"name", "unit", "summary"}, Statistics},
      {"columns", {"name", "heading", "unit", "summary"}, ComparedColumns},
  };
  return kKinds;
}

std::string CellText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Words in lines of at most `width`.
std::vector<std::string> Lines(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

// The last column, which is text, is wrapped to the page.
void PrintTable(const std::vector<std::string>& columns, const Json& items) {
  if (items.empty()) return;
  size_t left = kPageColumns;
  for (size_t i = 0; i + 1 < columns.size(); ++i) {
    size_t width = columns[i].size();
    for (const Json& item : items) width = std::max(width, CellText(item[columns[i]]).size());
    left -= width + 2;
  }
  Table table;
  for (const std::string& key : columns) {
    table.AddColumn(key, items[0][key].is_string() ? Table::Align::kLeft : Table::Align::kRight);
  }
  for (const Json& item : items) {
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const std::string& key : columns) cells.push_back(CellText(item[key]));
    const std::vector<std::string> lines = Lines(cells.back(), left);
    cells.back() = lines[0];
    table.AddRow(std::move(cells));
    for (size_t i = 1; i < lines.size(); ++i) {
      std::vector<std::string> more(columns.size());
      more.back() = lines[i];
      table.AddRow(std::move(more));
    }
  }
  fmt::print("{}", table.ToString());
}

struct ListOptions {
  std::string kind;
  JsonOption json;
};

void List(const ListOptions& options) {
  std::string known;
  bool found = options.kind.empty();
  for (const Kind& kind : Kinds()) {
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
    found = found || options.kind == kind.name;
  }
  if (!found) ThrowBadInput("unknown kind '{}': expected one of {}", options.kind, known);

  Json result = {{"schema", "flagstone.list/1"}};
  bool first = true;
  for (const Kind& kind : Kinds()) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    Json items = kind.items();
    if (!options.json.wanted) {
      if (options.kind.empty()) fmt::print("{}{}\n", first ? "" : "\n", kind.name);
      if (kind.table != nullptr) {
        fmt::print("{}", kind.table(items));
      } else {
        PrintTable(kind.columns, items);
      }
    }
    first = false;
    result[kind.name] = std::move(items);
  }
  if (options.json.wanted) options.json.Write(result);
}

}  // namespace

void AddListVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("list", "List workloads, machines, policies and so on");
  auto options = std::make_shared<ListOptions>();
  verb->Add("kind", &options->kind, "What to list (all when left out), see below").Type("KIND");
  options->json.AddTo(verb);
  verb->Footer(
      "Kinds: workloads, machines, keys (of --set and machine files), policies, schedulers,\n"
      "prefetchers, blocks, experiments, statistics, columns\n\n"
      "Example:\n  flagstone list machines");
  verb->Do([options] {
    List(*options);
    return 0;
  });
}

}  // namespace flagstone
