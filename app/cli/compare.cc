// `flagstone compare`: workloads x policies x machines, side by side.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compare_cases.h"
#include "app/cli/files_read.h"
#include "app/cli/options.h"
#include "app/cli/prefetch_tables.h"
#include "app/cli/stored_runs.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/results/columns.h"
#include "app/results/perturbed_json.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

// Prefetchers have figures of their own in the place of the caches'; only the others are also shown
// relative to the baseline.
bool HasRelative(const Column& column, bool prefetch) {
  return column.IsNumber() && (!prefetch || column.IsIn(Column::kCompare));
}

std::vector<Column> ColumnsOfTable(bool prefetch) {
  std::vector<Column> columns;
  for (const Column& column : Columns()) {
    if (column.IsIn(prefetch ? Column::kComparePrefetch : Column::kCompare)) {
      columns.push_back(column);
    }
  }
  return columns;
}

// A column's number by setting (--perturb), and relative to the baseline's of the same setting.
std::vector<double> Values(const Column& column, const Json& run) {
  return FiguresOf(run, nullptr, [&](const Json& record, const Json&) -> std::optional<double> {
    const Json value = column.Of(record);
    return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
  });
}
std::vector<double> Ratios(const Column& column, const Json& run, const Json& base) {
  const auto ratio = [&](const Json& part, const Json& whole) -> std::optional<double> {
    const Json above = column.Of(part);
    const Json below = column.Of(whole);
    if (!above.is_number() || !below.is_number() || below.get<double>() == 0) return std::nullopt;
    return above.get<double>() / below.get<double>();
  };
  return FiguresOf(run, base, ratio);
}

// "equal": 1 is less than two deviations away.
std::string RatioCell(const Spread& ratio) {
  const bool same = ratio.deviation != 0 && ratio.IsEqual();
  return ratio.ToText(3) + (same ? " equal" : "");
}

// What its table says of one run; "-" for one that failed.
void AddFigures(const std::vector<Column>& columns, bool prefetch, const WorkerOutcome& outcome,
                const Json& base, std::vector<std::string>* cells) {
  const bool failed = outcome.exit_code != 0;
  for (const Column& column : columns) {
    if (failed && column.format == Column::Format::kCheck) {
      cells->push_back("FAILED");
      continue;
    }
    const Json value = failed ? Json() : column.Of(outcome.result);
    const std::vector<double> values =
        column.IsNumber() ? Values(column, outcome.result) : std::vector<double>();
    cells->push_back(values.size() < 2 ? column.Cell(value) : column.Cell(Spread::Of(values)));
    if (!HasRelative(column, prefetch)) continue;
    const std::vector<double> ratios = Ratios(column, outcome.result, base);
    cells->push_back(ratios.size() < 2 ? RelativeCell(value, column.Of(base))
                                       : RatioCell(Spread::Of(ratios)));
  }
}

std::string SettingsNote(const RunOptions& options) {
  if (options.perturb == 0) return "";
  return fmt::format(
      "±: standard deviation over {} settings; equal: 1 is less than two deviations away\n",
      options.perturb);
}

// How far --sample went, and how well the worst cycles are known.
std::string SampleNote(const std::vector<WorkerOutcome>& outcomes) {
  size_t sampled = 0, runs = 0;
  double widest = 0;
  for (const WorkerOutcome& outcome : outcomes) {
    if (!outcome.result.is_object()) continue;
    const Json& totals = outcome.result["totals"];
    const Json& sample = totals["sample"];
    if (sample.is_null()) continue;
    ++runs;
    if (!sample["whole"].is_null()) continue;
    ++sampled;
    widest = std::max(
        widest, sample["half_widths"]["cycles"].get<double>() / totals["cycles"].get<double>());
  }
  if (runs == 0) return "";
  return fmt::format("sampled: {} of {} runs; 95 % intervals of their cycles at most ±{:.1f} %\n",
                     sampled, runs, 100 * widest);
}

// "conv2d (paper)" where the workload lacks the size that was asked for.
std::string WorkloadCell(const Case& of, const Json& result) {
  const std::string& name = of.options.workload;
  if (!result.is_object() || result["size"] == result["asked_size"]) return name;
  return result["size"].is_null() ? name
                                  : fmt::format("{} ({})", name, result["size"].get<std::string>());
}

void PrintTable(const std::vector<Case>& cases, const std::vector<WorkerOutcome>& outcomes,
                bool many_machines) {
  const bool prefetch = !cases[0].prefetch.empty();
  const std::vector<Column> columns = ColumnsOfTable(prefetch);
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  if (many_machines) table.AddColumn("machine", Table::Align::kLeft);
  table.AddColumn("policy", Table::Align::kLeft);
  if (prefetch) table.AddColumn("prefetch", Table::Align::kLeft);
  for (const Column& column : columns) {
    table.AddColumn(column.heading, column.IsNumber() ? Table::Align::kRight : Table::Align::kLeft);
    if (HasRelative(column, prefetch)) table.AddColumn("rel", Table::Align::kRight);
  }
  for (size_t i = 0; i < cases.size(); ++i) {
    if (i != 0 && cases[i].baseline != cases[i - 1].baseline) table.AddRule();
    std::vector<std::string> cells = {WorkloadCell(cases[i], outcomes[i].result)};
    if (many_machines) cells.push_back(cases[i].options.machine.name);
    cells.push_back(cases[i].options.policy);
    if (prefetch) cells.push_back(cases[i].prefetch);
    AddFigures(columns, prefetch, outcomes[i], outcomes[cases[i].baseline].result, &cells);
    table.AddRow(std::move(cells));
  }
  fmt::print("{}", table.ToString());
  const Case& base = cases[cases[0].baseline];
  if (!prefetch) {
    fmt::print("rel: relative to {}; L2 accesses in 32 B sectors; {}{}", base.options.policy,
               EngineLine(outcomes), SettingsNote(base.options) + SampleNote(outcomes));
    return;
  }
  fmt::print(
      "rel: relative to {} without prefetches. cover: prefetches issued, of the demand fetches; "
      "accur:\nused, early: evicted before use, both of the issued; dist: mean cycles from "
      "prefetch "
      "to demand;\nL2 req, DRAM: more requests from SMs to L2, more sectors read, than "
      "without\n{}{}",
      base.options.policy, EngineLine(outcomes), SettingsNote(base.options) + SampleNote(outcomes));
}

// Adds the figures that need the run without prefetches.
void PutPrefetchOverheads(const std::vector<Case>& cases, std::vector<WorkerOutcome>* outcomes) {
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].prefetch.empty() || !(*outcomes)[i].result.is_object()) continue;
    const Json& without = (*outcomes)[cases[i].without_prefetch].result;
    (*outcomes)[i].result["prefetch_overhead"] = PrefetchOverhead(
        (*outcomes)[i].result["totals"], without.is_object() ? without["totals"] : Json());
  }
}

// How each run compares with its baseline; null for one that failed.
void PutComparisons(const std::vector<Case>& cases, std::vector<WorkerOutcome>* outcomes) {
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!(*outcomes)[i].result.is_object()) continue;
    (*outcomes)[i].result["compared"] =
        ComparedWith((*outcomes)[i].result, (*outcomes)[cases[i].baseline].result);
  }
}

// The values that were set: of all runs the same, since a machine file has none.
void PutSettings(const std::vector<std::string>& settings, std::vector<WorkerOutcome>* outcomes) {
  if (settings.empty()) return;
  for (WorkerOutcome& outcome : *outcomes) {
    if (!outcome.result.is_object()) continue;
    outcome.result["settings"] = fmt::format("{}", fmt::join(settings, " "));
  }
}

std::string Csv(const std::vector<WorkerOutcome>& outcomes) {
  std::string text;
  const auto add_row = [&](const auto& cell) {
    bool first = true;
    for (const Column& column : Columns()) {
      if (!column.IsIn(Column::kCsv)) continue;
      text += (first ? "" : ",") + cell(column);
      first = false;
    }
    text += "\n";
  };
  add_row([](const Column& column) { return CsvName(column); });
  for (const WorkerOutcome& outcome : outcomes) {
    if (outcome.exit_code != 0) continue;
    add_row([&](const Column& column) { return CsvCell(column.Of(outcome.result)); });
  }
  return text;
}

bool Passed(const Json& result) {
  const Json passed = FindColumn("checks_passed")->Of(result);
  return passed.is_null() || passed.get<bool>();
}

// Where a launch leaves SMs empty, policies and prefetchers have little to win.
void NoteFill(const std::vector<Case>& cases, const std::vector<WorkerOutcome>& outcomes) {
  size_t all = 0, empty = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!outcomes[i].result.is_object()) continue;
    ++all;
    if (!FillsMachine(outcomes[i].result, cases[i].options.machine)) ++empty;
  }
  if (empty == 0) return;
  fmt::print(stderr, "note: {} of {} runs do not fill their machine{}\n", empty, all,
             cases[0].options.size == "test" ? ": --size medium or paper has more TBs" : "");
}

int Compare(const CompareOptions& options) {
  const std::vector<Case> cases = MakeCases(options);
  const StopsEarly stops;
  ProgressBar bar(options.common.quiet);
  std::vector<WorkerOutcome> outcomes = RunStored(
      cases.size(), options.jobs, options.store,
      [&](size_t i) -> const RunOptions& { return cases[i].options; },
      [&](size_t done) { bar.Show("compare", done, cases.size()); });
  bar.Clear();
  WarnOfSizes(outcomes);
  if (!options.common.quiet) NoteFill(cases, outcomes);
  PutPrefetchOverheads(cases, &outcomes);
  PutComparisons(cases, &outcomes);
  PutSettings(options.common.settings, &outcomes);

  int exit_code = 0;
  Json results = Json::array();
  for (size_t i = 0; i < cases.size(); ++i) {
    const WorkerOutcome& outcome = outcomes[i];
    if (outcome.exit_code != 0) {
      exit_code = std::max(exit_code, outcome.exit_code);
      if (!outcome.message.empty()) {
        fmt::print(stderr, "flagstone: {} under {} on {}: {}\n", cases[i].options.workload,
                   cases[i].options.policy, cases[i].options.machine.name, outcome.message);
      }
    } else {
      if (!Passed(outcome.result)) exit_code = std::max(exit_code, kExitFailed);
      results.push_back(outcome.result);
    }
  }
  const JsonOption& json = options.common.json;
  const Json result = {
      {"schema", "flagstone.compare/1"}, {"command", CommandLine()}, {"runs", std::move(results)}};
  if (json.wanted) json.Write(result);
  options.report.Write(result);
  if (!options.csv.empty()) WriteFileAtomically(options.csv, Csv(outcomes));
  if (!json.OnStdout() && options.csv != "-" && !options.report.OnStdout()) {
    PrintTable(cases, outcomes, options.common.machine.find(',') != std::string::npos);
  }
  return *Interrupted() ? kExitInterrupted : exit_code;
}

}  // namespace

void AddCompareVerb(CommandLineParser* command) {
  Verb* verb =
      command->AddVerb("compare", "Simulate workloads under several policies, side by side");
  auto options = std::make_shared<CompareOptions>();
  verb->Add("workloads", &options->workloads,
            "Names ('flagstone list workloads'), 'all', or\nworkload.toml files")
      .Required()
      .Type("WORKLOAD...")
      .Reads(FilesOfWorkloads(&options->common.run.size))
      .Different();
  verb->Add("--policy", &options->policies, "TB policies; relative to lrr, or else to the first")
      .Type("P[,P...]")
      .Reads(FilesOfPolicies)
      .ShowDefault();
  RunOptions* const run = &options->common.run;
  AddWarpScheduler(verb, &options->common);
  verb->Add("--prefetch", &options->prefetchers,
            "Prefetchers, each beside the run without; P+S: with\nwarp scheduler S of its own")
      .Type("P[+S][,P...]");
  AddData(verb, run);
  AddPerturb(verb, run);
  AddSample(verb, run);
  AddEngine(verb, &run->engine);
  AddValues(verb, run);
  verb->Add("--csv", &options->csv, "Write a row per run").Type("FILE").Output();
  verb->Add("--jobs", &options->jobs, "Simulations at once (default: one per processor)")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{1024});
  options->report.AddTo(verb);
  options->store.AddTo(verb);
  options->common.AddTo(verb, /*many_machines=*/true);
  verb->Footer(
      "Example:\n"
      "  flagstone compare syrk matmul hotspot --size paper --policy lrr,rb --machine fermi,volta\n"
      "  flagstone compare all --size medium --policy lrr,rb --machine fermi,volta --jobs 2\n"
      "  flagstone compare laplace3d --size paper --policy lrr --machine caps_fermi --prefetch "
      "caps+pas");
  verb->Do([options] { return Compare(*options); });
}

}  // namespace flagstone
