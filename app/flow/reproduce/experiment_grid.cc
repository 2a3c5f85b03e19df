#include "app/flow/reproduce/experiment_grid.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/flow/reproduce/grid_parts.h"
#include "app/flow/run/run_request.h"
#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

constexpr std::string_view kAllSets = "all";

// The place of the string under `key` among `names`.
size_t PlaceOf(const TomlReader& reader, std::string_view key,
               const std::vector<std::string>& names) {
  const std::string name = reader.Line(key);
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) {
    reader.Fail(reader.Require(key).source().begin, "key '{}' is {}: expected one of {}", key,
                Quoted(name), CommaSeparated(names));
  }
  return static_cast<size_t>(it - names.begin());
}

ExperimentGrid::Published ParsePublished(const TomlReader& reader, const ExperimentGrid& grid,
                                         const std::vector<std::string>& set_names) {
  std::vector<std::string_view> keys = {"machine", "set", "cause"};
  keys.insert(keys.end(), grid.variants.begin(), grid.variants.end());
  reader.AllowOnly(keys);
  ExperimentGrid::Published published;
  published.machine = PlaceOf(reader, "machine", grid.machines);
  published.set = PlaceOf(reader, "set", set_names);
  if (reader.Has("cause")) published.cause = reader.Line("cause");
  for (const std::string& variant : grid.variants) {
    std::optional<double>& value = published.values.emplace_back();
    if (reader.Has(variant)) value = reader.Number(variant, -1e18, 1e18);
  }
  return published;
}

ExperimentGrid::Table ParseTable(const TomlReader& reader, const ExperimentGrid& grid) {
  reader.AllowOnly({"name", "title", "figure", "key", "relative", "variants", "published"});
  ExperimentGrid::Table table;
  table.name = reader.Line("name");
  table.title = reader.Line("title");
  if (reader.Has("figure")) table.figure = reader.Line("figure");
  table.metric = ExperimentMetric::Parse(reader);
  const std::vector<std::string> shown =
      reader.Has("variants") ? ReadStrings(reader, "variants") : grid.variants;
  for (const std::string& name : shown) {
    const auto it = std::find(grid.variants.begin(), grid.variants.end(), name);
    if (it == grid.variants.end()) {
      reader.Fail(reader.Require("variants").source().begin,
                  "key 'variants' names {}: expected some of {}", Quoted(name),
                  CommaSeparated(grid.variants));
    }
    table.columns.push_back(static_cast<size_t>(it - grid.variants.begin()));
  }
  if (!reader.Has("published")) return table;
  std::vector<std::string> set_names;
  for (const ExperimentGrid::Set& set : grid.sets) set_names.push_back(set.name);
  if (grid.sets.size() > 1) set_names.emplace_back(kAllSets);
  for (const toml::node& node : reader.Array("published")) {
    const TomlReader entry = reader.TableOf(node, "[[table.published]]");
    const ExperimentGrid::Published& published =
        table.published.emplace_back(ParsePublished(entry, grid, set_names));
    for (size_t v = 0; v < grid.variants.size(); ++v) {
      const auto same = [&](const ExperimentGrid::Published& other) {
        return &other != &published && other.machine == published.machine &&
               other.set == published.set && other.values[v];
      };
      if (!published.values[v]) continue;
      if (std::any_of(table.published.begin(), table.published.end(), same)) {
        entry.Fail(node.source().begin, "key '{}' is published twice for one machine and set",
                   grid.variants[v]);
      }
    }
  }
  return table;
}

bool Keeps(const std::vector<std::string>& filter, const std::string& name) {
  return filter.empty() || std::find(filter.begin(), filter.end(), name) != filter.end();
}

void CheckKnown(const std::vector<std::string>& filter, const std::vector<std::string>& names,
                std::string_view what) {
  for (const std::string& name : filter) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      ThrowBadInput("this experiment has no {} {}: expected one of {}", what, Quoted(name),
                    CommaSeparated(names));
    }
  }
}

// Sets and machines that `filter` leaves nothing of go, with the published means that name them.
void DropLeftOut(const GridFilter& filter, ExperimentGrid* grid) {
  std::vector<size_t> machine_places, set_places;
  std::vector<std::string> machines;
  std::vector<ExperimentGrid::Set> sets;
  bool all_whole = true;
  for (const std::string& machine : grid->machines) {
    machine_places.push_back(machines.size());
    if (Keeps(filter.machines, machine)) machines.push_back(machine);
  }
  for (const ExperimentGrid::Set& set : grid->sets) {
    set_places.push_back(sets.size());
    ExperimentGrid::Set kept = {set.name, {}};
    for (const std::string& workload : set.workloads) {
      if (Keeps(filter.workloads, workload)) kept.workloads.push_back(workload);
    }
    all_whole = all_whole && kept.workloads.size() == set.workloads.size();
    if (!kept.workloads.empty()) sets.push_back(std::move(kept));
  }
  set_places.push_back(sets.size());
  for (ExperimentGrid::Table& table : grid->tables) {
    std::vector<ExperimentGrid::Published> kept;
    for (ExperimentGrid::Published& published : table.published) {
      // A mean over a part of a set is not the published one's counterpart.
      const auto kept_whole = [&](const ExperimentGrid::Set& set) {
        return std::all_of(set.workloads.begin(), set.workloads.end(),
                           [&](const auto& w) { return Keeps(filter.workloads, w); });
      };
      const bool whole =
          published.set == grid->sets.size() ? all_whole : kept_whole(grid->sets[published.set]);
      if (!whole || !Keeps(filter.machines, grid->machines[published.machine])) continue;
      published.machine = machine_places[published.machine];
      published.set = set_places[published.set];
      kept.push_back(std::move(published));
    }
    table.published = std::move(kept);
  }
  grid->machines = std::move(machines);
  grid->sets = std::move(sets);
}

std::optional<double> MeanOf(const std::vector<double>& values, bool geometric) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += geometric ? std::log(value) : value;
  const double mean = sum / static_cast<double>(values.size());
  return geometric ? std::exp(mean) : mean;
}

// The mean over workloads under each setting; where they have not all run under the same ones, the
// mean of their means.
std::vector<double> MeansBySetting(const std::vector<std::vector<double>>& figures,
                                   bool geometric) {
  if (figures.empty()) return {};
  const size_t settings = figures.front().size();
  const bool alike = std::all_of(figures.begin(), figures.end(),
                                 [&](const auto& values) { return values.size() == settings; });
  std::vector<double> means;
  for (size_t i = 0; i < (alike ? settings : 1); ++i) {
    std::vector<double> of_setting;
    for (const std::vector<double>& values : figures) {
      of_setting.push_back(alike ? values[i] : Spread::Of(values).mean);
    }
    means.push_back(*MeanOf(of_setting, geometric));
  }
  return means;
}

// A figure by setting as the next one of a row.
void Put(const std::vector<double>& values, std::vector<std::optional<double>>* means,
         std::vector<double>* deviations) {
  const Spread spread = Spread::Of(values);
  means->push_back(values.empty() ? std::nullopt : std::optional<double>(spread.mean));
  deviations->push_back(spread.deviation);
}

void ReadSets(const TomlReader& root, const std::string& size,
              std::vector<ExperimentGrid::Set>* sets, std::vector<GridWorkload>* workloads) {
  for (const toml::node& node : root.Array("set")) {
    const TomlReader reader = root.TableOf(node, "[[set]]");
    reader.AllowOnly({"name", "workloads"});
    ExperimentGrid::Set& set = sets->emplace_back();
    set.name = reader.Line("name");
    for (const toml::node& workload : reader.Array("workloads")) {
      workloads->push_back(GridWorkload::Parse(reader, workload, size));
      set.workloads.push_back(workloads->back().label);
    }
  }
}

// Those of another experiment, whose file stands beside this one.
void ReadSetsOf(const TomlReader& root, const std::string& size,
                std::vector<ExperimentGrid::Set>* sets, std::vector<GridWorkload>* workloads) {
  if (root.Has("set")) {
    root.Fail(root.Require("sets_of").source().begin, "key 'sets_of' goes without [[set]]");
  }
  const std::filesystem::path other =
      std::filesystem::path(root.file()).parent_path() / (root.Line("sets_of") + ".toml");
  const toml::table table = ParseToml(ReadFile(other), other.string());
  ReadSets(TomlReader(table, other.string(), "the file"), size, sets, workloads);
}

}  // namespace

ExperimentGrid ExperimentGrid::Parse(const TomlReader& root, const GridFilter& filter,
                                     const std::vector<std::string>& settings) {
  root.AllowOnly({"description", "source", "paper", "machines", "size", "data", "cold_l2",
                  "miss_classes", "baseline", "variant", "set", "sets_of", "table"});
  ExperimentGrid grid;
  grid.machines = ReadStrings(root, "machines");
  const std::string own_size = root.String("size", "paper");
  const std::string& size = filter.size.empty() ? own_size : filter.size;
  const bool known_data = ReadKnownData(root);
  std::vector<GridVariant> variants;
  for (const toml::node& node : root.Array("variant")) {
    variants.push_back(GridVariant::Parse(root.TableOf(node, "[[variant]]")));
    grid.variants.push_back(variants.back().name);
  }
  grid.baseline = PlaceOf(root, "baseline", grid.variants);
  std::vector<GridWorkload> workloads;
  const auto read = root.Has("sets_of") ? ReadSetsOf : ReadSets;
  read(root, size, &grid.sets, &workloads);
  std::vector<std::string> labels;
  labels.reserve(workloads.size());
  for (const GridWorkload& workload : workloads) labels.push_back(workload.label);
  for (const toml::node& node : root.Array("table")) {
    grid.tables.push_back(ParseTable(root.TableOf(node, "[[table]]"), grid));
  }
  CheckKnown(filter.machines, grid.machines, "machine");
  CheckKnown(filter.workloads, labels, "workload");
  DropLeftOut(filter, &grid);
  for (const std::string& machine : grid.machines) {
    std::vector<RunOptions> of_variants;
    for (const GridVariant& variant : variants) {
      RunOptions& options = of_variants.emplace_back();
      options.machine = LoadMachine(machine, variant.settings, settings);
      options.policy = FindPolicy(variant.policy).name;
      ChooseBlocks(variant.warp_scheduler, variant.prefetcher, &options.machine);
      options.known_data = known_data;
      options.miss_classes = root.Has("miss_classes") && root.Boolean("miss_classes");
      options.l1_fills = std::any_of(grid.tables.begin(), grid.tables.end(),
                                     [](const Table& t) { return t.metric.NeedsL1Fills(); });
      options.cold_l2 = root.Has("cold_l2") && root.Boolean("cold_l2");
    }
    for (const GridWorkload& workload : workloads) {
      if (!Keeps(filter.workloads, workload.label)) continue;
      for (const RunOptions& of_variant : of_variants) {
        RunOptions& options = grid.runs.emplace_back(of_variant);
        options.workload = workload.workload;
        options.size = workload.size;
      }
    }
  }
  return grid;
}

size_t ExperimentGrid::WorkloadCount() const {
  size_t count = 0;
  for (const Set& set : sets) count += set.workloads.size();
  return count;
}

namespace {

// "rb, kway: " where a set has figures that a cause is not of; empty where it is of all.
std::string ForWhom(const ExperimentGrid::Published& published, const ExperimentGrid::Table& table,
                    const ExperimentGrid& grid) {
  const bool alone = std::none_of(
      table.published.begin(), table.published.end(), [&](const ExperimentGrid::Published& other) {
        return &other != &published && other.machine == published.machine &&
               other.set == published.set;
      });
  if (alone) return "";
  std::vector<std::string> names;
  for (size_t v = 0; v < grid.variants.size(); ++v) {
    if (published.values[v]) names.push_back(grid.variants[v]);
  }
  return CommaSeparated(names) + ": ";
}

}  // namespace

GridTable MakeGridTable(const ExperimentGrid& grid, const ExperimentGrid::Table& table,
                        size_t machine, const std::vector<Json>& runs) {
  using ByVariant = std::vector<std::vector<std::vector<double>>>;  // then workload, setting
  const bool geometric = table.metric.Multiplies();
  GridTable result;
  const auto add_mean = [&](std::string_view name, size_t set, const ByVariant& by_variant) {
    GridTable::Mean& mean = result.means.emplace_back();
    mean.set = name;
    mean.theirs.resize(grid.variants.size());
    for (const auto& figures : by_variant) {
      const std::vector<double> means = MeansBySetting(figures, geometric);
      Put(means, &mean.ours, &mean.deviations);
    }
    for (const ExperimentGrid::Published& published : table.published) {
      if (published.machine != machine || published.set != set) continue;
      for (size_t v = 0; v < mean.theirs.size(); ++v) {
        if (published.values[v]) mean.theirs[v] = published.values[v];
      }
      if (published.cause.empty()) continue;
      if (!mean.cause.empty()) mean.cause += "; ";
      mean.cause += ForWhom(published, table, grid) + published.cause;
    }
  };
  ByVariant all(grid.variants.size());
  size_t workload = 0;
  for (size_t s = 0; s < grid.sets.size(); ++s) {
    ByVariant by_variant(grid.variants.size());
    for (const std::string& label : grid.sets[s].workloads) {
      GridTable::Row& row = result.rows.emplace_back();
      row = {grid.sets[s].name, label, {}, {}};
      const Json& baseline = runs[grid.RunOf(machine, workload, grid.baseline)];
      for (size_t v = 0; v < grid.variants.size(); ++v) {
        const std::vector<double> values =
            table.metric.Values(runs[grid.RunOf(machine, workload, v)], baseline);
        Put(values, &row.values, &row.deviations);
        const auto& value = row.values.back();
        if (!value || (geometric && *value <= 0)) continue;
        by_variant[v].push_back(values);
        all[v].push_back(values);
      }
      ++workload;
    }
    add_mean(grid.sets[s].name, s, by_variant);
  }
  if (grid.sets.size() > 1) add_mean(kAllSets, grid.sets.size(), all);
  return result;
}

}  // namespace flagstone
