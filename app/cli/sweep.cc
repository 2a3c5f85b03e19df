// `flagstone sweep`: a grid of runs of any size, here or on other machines.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/store_options.h"
#include "app/cli/sweep_pages.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/sweep/collect.h"
#include "app/sweep/engine.h"
#include "app/sweep/table_writers.h"
#include "base/error.h"

namespace flagstone {
namespace {

struct SweepVerb {
  SweepVerb() { engine.jobs = std::max(1U, std::thread::hardware_concurrency()); }

  std::string action, plan;
  StoreOptions store;
  EngineOptions engine;
  std::string on = "local";
  std::string batch;  // of `work`
  uint64_t batch_seconds = 600;
  bool any_size = false, all = false, quiet = false;
  std::string csv, sqlite, columns;
  std::string page = "report.html";
  JsonOption json;
};

void Note(const SweepVerb& verb, const std::string& line) {
  if (!verb.quiet) fmt::print(stderr, "note: {}\n", line);
}

SweepPlan LoadPlan(const SweepVerb& verb) {
  SweepPlan plan = SweepPlan::Load(verb.plan, verb.any_size);
  plan.common.version = Version();
  return plan;
}

struct Sweep {
  Sweep(const SweepVerb& verb, SweepPlan loaded, const ResultStore& results)
      : plan(std::move(loaded)),
        store(results),
        state(plan, results, [&](const std::string& line) { Note(verb, line); }) {}

  SweepPlan plan;
  const ResultStore& store;
  SweepState state;
};

// What `sweep work` does: the points of one batch, one after another.
int Work(const SweepVerb& verb, const Sweep& sweep) {
  const StopsEarly stops;
  SweepWork work;  // with one process: the engine says how many there are
  work.retries = verb.engine.retries;
  RunPoints(sweep.plan, sweep.state, sweep.store, ReadBatch(sweep.state, verb.batch), work);
  return *Interrupted() ? kExitInterrupted : 0;
}

void WarnOfSizes(const SweepPlan& plan) {
  for (const GridWorkload& workload : plan.workloads) {
    WarnOfSize(Workload::Load(FindWorkload(workload.workload), workload.size));
  }
}

void RunHere(const SweepVerb& verb, Sweep* sweep, ProgressBar* bar) {
  std::vector<PointToRun> points;
  if (verb.store.fresh) {
    for (size_t i = 0; i < sweep->state.size(); ++i) points.push_back({i, 0});
  } else {
    points = OpenPoints(sweep->state, verb.engine.retries);
  }
  SweepWork work;
  work.jobs = verb.engine.jobs;
  work.retries = verb.engine.retries;
  work.fresh = verb.store.fresh;
  work.progress = [&](size_t ended) { bar->Show("sweep", ended, points.size()); };
  RunPoints(sweep->plan, sweep->state, sweep->store, points, work);
}

int Run(const SweepVerb& verb, Sweep* sweep) {
  if (verb.store.fresh && verb.on != "local") {
    ThrowBadInput("--fresh: only --on local computes again what is there");
  }
  sweep->state.Save();
  sweep->state.Refresh();
  const SweepState::Counts before = sweep->state.Count();
  const StopsEarly stops;
  ProgressBar bar(verb.quiet);
  EngineOptions engine = verb.engine;
  engine.batches.seconds = static_cast<double>(verb.batch_seconds);
  engine.progress = [&](size_t ended) { bar.Show("sweep", ended, sweep->state.size()); };
  if (verb.on == "parallel") {
    RunOnParallel(sweep->plan, sweep->store, engine, &sweep->state);
  } else if (verb.on == "slurm") {
    RunOnSlurm(sweep->plan, sweep->store, engine, &sweep->state);
  } else {
    RunHere(verb, sweep, &bar);
  }
  bar.Clear();
  sweep->state.Refresh();
  const SweepState::Counts counts = sweep->state.Count();
  fmt::print("{}", SweepStatusPage(sweep->plan, sweep->state, sweep->store));
  if (before.done != 0 && !verb.store.fresh) fmt::print("{} of them were there\n", before.done);
  if (*Interrupted()) return kExitInterrupted;
  return counts.failed == 0 && counts.open == 0 ? 0 : kExitFailed;
}

// The statistics that a table or a page shows.
std::vector<Column> StatisticsOf(const SweepVerb& verb, const SweepPlan& plan) {
  if (verb.columns.empty()) return DefaultStatistics(plan);
  std::vector<Column> statistics;
  for (const std::string& name : SplitList(verb.columns, "--columns")) {
    const std::optional<Column> column = FindColumn(name);
    if (!column || !(column->statistic || column->format == Column::Format::kCheck)) {
      ThrowBadInput(
          "--columns: unknown statistic '{}': expected some of 'flagstone list "
          "statistics'",
          name);
    }
    statistics.push_back(*column);
  }
  return statistics;
}

// A page keeps all points in a browser's memory.
constexpr size_t kMostPointsOfPage = 100'000;

int Report(const SweepVerb& verb, Sweep* sweep) {
  if (sweep->state.size() > kMostPointsOfPage) {
    ThrowBadInput(
        "a page shows at most {} points, and this sweep has {}: 'flagstone sweep collect'",
        Grouped(kMostPointsOfPage), Grouped(sweep->state.size()));
  }
  sweep->state.Refresh();
  const std::vector<Column> statistics = StatisticsOf(verb, sweep->plan);
  const std::vector<SweepColumn> columns = SweepColumns(sweep->plan, statistics);
  Json rows = Json::array();
  ForEachRow(sweep->plan, sweep->state, sweep->store, statistics,
             [&](const std::vector<Json>& row) {
               Json object;
               for (size_t i = 0; i < row.size(); ++i) object[columns[i].name] = row[i];
               rows.push_back(std::move(object));
             });
  WriteReport(verb.page, {{sweep->plan.name,
                           {{"schema", "flagstone.sweep/1"},
                            {"description", sweep->plan.description},
                            {"version", sweep->plan.common.version},
                            {"command", CommandLine()},
                            {"rows", std::move(rows)}}}});
  return 0;
}

int Collect(const SweepVerb& verb, Sweep* sweep) {
  const std::string json = verb.json.wanted && verb.json.file.empty() ? "-" : verb.json.file;
  sweep->state.Refresh();
  const std::vector<Column> statistics = StatisticsOf(verb, sweep->plan);
  const std::vector<SweepColumn> columns = SweepColumns(sweep->plan, statistics);
  std::vector<std::unique_ptr<TableWriter>> writers;
  const bool none = verb.csv.empty() && !verb.json.wanted && verb.sqlite.empty();
  if (!verb.csv.empty() || none) writers.push_back(MakeCsvWriter(none ? "-" : verb.csv, columns));
  if (verb.json.wanted) writers.push_back(MakeJsonWriter(json, columns, sweep->plan.description));
  if (!verb.sqlite.empty()) writers.push_back(MakeSqliteWriter(verb.sqlite, columns));
  uint64_t open = 0;
  const size_t status = static_cast<size_t>(
      std::find_if(columns.begin(), columns.end(),
                   [](const SweepColumn& column) { return column.name == "status"; }) -
      columns.begin());
  ForEachRow(sweep->plan, sweep->state, sweep->store, statistics,
             [&](const std::vector<Json>& row) {
               if (row[status] == "open") ++open;
               for (const auto& writer : writers) writer->Add(row);
             });
  for (const auto& writer : writers) writer->Finish();
  if (open != 0) {
    Note(verb, fmt::format("{} of {} points are open: 'flagstone sweep run' goes on", open,
                           sweep->state.size()));
  }
  return 0;
}

int Do(const SweepVerb& verb) {
  if (verb.action == "work" && verb.batch.empty()) {
    ThrowBadInput("sweep work is what engines start: expected 'flagstone sweep run'");
  }
  if (verb.store.any_engine) {
    ThrowBadInput(
        "--store-any-engine: the points of a sweep are of its plan's engine: expected the plan's "
        "key 'engine' instead");
  }
  SweepPlan plan = LoadPlan(verb);
  StatisticsOf(verb, plan);  // columns that nobody knows are refused first
  const OpenedStore opened(verb.store);
  Sweep sweep(verb, std::move(plan), opened.Required());
  if (verb.action == "work") return Work(verb, sweep);
  if (verb.action == "run") {
    WarnOfSizes(sweep.plan);
    return Run(verb, &sweep);
  }
  if (verb.action == "collect") return Collect(verb, &sweep);
  if (verb.action == "report") return Report(verb, &sweep);
  sweep.state.Refresh();
  if (verb.action == "plan") {
    fmt::print("{}", SweepPlanPage(sweep.plan, sweep.state, sweep.store, verb.all));
  } else {
    fmt::print("{}", SweepStatusPage(sweep.plan, sweep.state, sweep.store));
  }
  return 0;
}

std::function<std::string(const std::string&)> OneOf(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& value) -> std::string {
    if (std::find(names.begin(), names.end(), value) != names.end()) return "";
    std::string known;
    for (const std::string& name : names) {
      if (name != "work") known += (known.empty() ? "" : ", ") + name;
    }
    return fmt::format("unknown '{}': expected one of {}", value, known);
  };
}

}  // namespace

void AddSweepVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("sweep", "Run a grid of any size, and go on where it stopped");
  auto owner = std::make_shared<SweepVerb>();
  SweepVerb& sweep = *owner;
  verb->Add("action", &sweep.action,
            "plan: list its points; run: compute those that are not\n"
            "done; status: how far it is; collect: a table of results;\n"
            "report: a page of them")
      .Required()
      .Check(OneOf({"plan", "run", "status", "collect", "report", "work"}))
      .Type("plan|run|status|collect|report");
  verb->Add("plan", &sweep.plan, "A TOML file (docs/sweeps.md)").Required().Type("PLAN").Input();
  sweep.store.AddTo(verb);
  verb->Add("--jobs", &sweep.engine.jobs, "run: points at once (default: one per processor)")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{100'000});
  verb->Add("--on", &sweep.on, "run: here, by GNU parallel, or as a Slurm job array")
      .Check(OneOf({"local", "parallel", "slurm"}))
      .Type("local|parallel|slurm")
      .ShowDefault();
  verb->Add("--retry", &sweep.engine.retries, "run: try a point that fails N times more")
      .Type("N")
      .Range(uint64_t{0}, uint64_t{1000});
  verb->Add("--hosts", &sweep.engine.hosts, "run: GNU parallel's -S: 8/node1,8/node2")
      .Type("H[,H...]");
  verb->Add("--sbatch", &sweep.engine.submission, "run: more options for Slurm's sbatch")
      .Type("OPTIONS");
  verb->Add("--batch-seconds", &sweep.batch_seconds,
            "run: how long a job of GNU parallel or Slurm may take,\nby earlier results")
      .Type("S")
      .ShowDefault()
      .Range(uint64_t{1}, uint64_t{1'000'000});
  verb->Add("--batch", &sweep.batch, "work, which engines start: the file of its points")
      .Type("FILE");
  verb->AddFlag("--yes", &sweep.any_size, "More than 10,000,000 points are meant");
  verb->AddFlag("--all", &sweep.all, "plan: every point, not the first twenty");
  verb->Add("--csv", &sweep.csv, "collect: to FILE (default: CSV on stdout)").Type("FILE").Output();
  verb->Add("--sqlite", &sweep.sqlite, "collect: a database with the table 'points'")
      .Type("FILE")
      .Output();
  verb->Add("--columns", &sweep.columns,
            "collect, report: these statistics\n('flagstone list statistics')")
      .Type("NAME[,NAME...]");
  verb->Add("-o,--output", &sweep.page, "report: the page; - is stdout")
      .Type("FILE.html")
      .Output()
      .ShowDefault();
  sweep.json.AddTo(verb);
  verb->AddFlag("-q,--quiet", &sweep.quiet, "No progress and no notes on stderr");
  verb->Footer(
      "Examples:\n"
      "  flagstone sweep plan l1.toml\n"
      "  flagstone sweep run l1.toml --jobs 8\n"
      "  flagstone sweep run l1.toml --on slurm --jobs 200 --sbatch '--time=2:00:00'\n"
      "  flagstone sweep collect l1.toml --csv l1.csv\n"
      "  flagstone sweep report l1.toml -o l1.html");
  verb->Do([owner] { return Do(*owner); });
}

}  // namespace flagstone
