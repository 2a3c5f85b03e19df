// `flagstone reproduce`: the runs of an experiment, with ours beside the published figures.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/cli/files_read.h"
#include "app/cli/grid_page.h"
#include "app/cli/mean_differences.h"
#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/stored_runs.h"
#include "app/cli/study_page.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/flow/reproduce/experiment.h"
#include "app/flow/run/worker_pool.h"
#include "app/flow/studies/stored_study.h"
#include "app/policy/policies.h"
#include "base/error.h"

namespace flagstone {
namespace {

struct ReproduceOptions {
  std::string experiment, machines, workloads, size;
  std::vector<std::string> settings;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  StoreOptions store;
  RunOptions run;  // whose engine and seed all runs take
  JsonOption json;
  ReportOption report;
  bool quiet = false;
};

std::string FigureText(const std::optional<double>& value) {
  if (!value) return "-";
  const bool whole = *value == std::floor(*value) && *value < 1e15;
  return whole ? Grouped(static_cast<uint64_t>(*value)) : fmt::format("{:.3f}", *value);
}

// With its deviation where it was found under several settings.
std::string OursText(const ExperimentFigure& figure) {
  const bool several = figure.spread && figure.spread->deviation != 0;
  return several ? figure.spread->ToText(3) : FigureText(figure.ours);
}

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string Verdict(bool agrees, const ExperimentMetric& metric, const ExperimentFigure& figure,
                    const std::string& explained) {
  if (!figure.theirs || !metric.tolerance) return "";
  if (agrees) return "agrees";
  return explained.empty() ? "DIFFERS" : "explained";
}

// A line per case and metric, and whether all agree or are explained.
bool Report(const Experiment& experiment, const std::vector<Json>& runs,
            const std::vector<Json>& baselines, std::string* text, Json* records) {
  using Align = Table::Align;
  Table table;
  table.AddColumn("case", Align::kLeft);
  table.AddColumn("figure", Align::kLeft);
  for (const char* header : {"ours", "theirs", "difference", "allowed"}) {
    table.AddColumn(header, Align::kRight);
  }
  table.AddColumn("", Align::kLeft);
  std::string notes;
  bool good = true;
  for (size_t i = 0; i < experiment.cases.size(); ++i) {
    const ExperimentCase& c = experiment.cases[i];
    if (i != 0) table.AddRule();
    for (size_t m = 0; m < experiment.metrics.size(); ++m) {
      const ExperimentMetric& metric = experiment.metrics[m];
      const ExperimentFigure figure = Evaluate(metric, c.expected[m], runs[i], baselines[i]);
      const bool agrees = figure.Agrees(metric);
      const std::string verdict = Verdict(agrees, metric, figure, c.explained[m]);
      const std::optional<double> difference = figure.Difference();
      table.AddRow(
          {m == 0 ? c.label : "", metric.Heading(), OursText(figure), FigureText(figure.theirs),
           difference ? fmt::format("{:+.1f}%", 100 * *difference) : "-",
           metric.tolerance ? fmt::format("{:.0f}%", 100 * *metric.tolerance) : "-", verdict});
      good = good && (agrees || !c.explained[m].empty());
      if (!agrees && !c.explained[m].empty()) {
        notes += fmt::format("{}, {}: {}\n", c.label, metric.Heading(), c.explained[m]);
      }
      records->push_back(
          {{"case", c.label},
           {"metric", metric.Heading()},
           {"ours", OrNull(figure.ours)},
           {"deviation", figure.spread && figure.spread->count > 1 ? Json(figure.spread->deviation)
                                                                   : Json(nullptr)},
           {"theirs", OrNull(figure.theirs)},
           {"difference", OrNull(difference)},
           {"tolerance", OrNull(metric.tolerance)},
           {"agrees", agrees},
           {"explained", c.explained[m]}});
    }
  }
  *text = table.ToString() + notes;
  return good;
}

// The runs in the order of the tables, and where each case's baseline stands among them (0: it has
// none).
struct Plan {
  std::vector<RunOptions> runs;
  std::vector<size_t> baseline_of;
};

Plan MakePlan(const Experiment& experiment, const ReproduceOptions& options) {
  Plan plan;
  if (experiment.grid) plan.runs = experiment.grid->runs;
  for (const ExperimentCase& c : experiment.cases) plan.runs.push_back(c.options);
  for (const ExperimentCase& c : experiment.cases) {
    plan.baseline_of.push_back(c.baseline ? plan.runs.size() : 0);
    if (c.baseline) plan.runs.push_back(*c.baseline);
  }
  for (RunOptions& run : plan.runs) {
    run.engine = options.run.engine;
    run.seed = options.run.seed;
    run.perturb = options.run.perturb;
    run.perturb_up_to = options.run.perturb_up_to;
  }
  return plan;
}

// The run records, null where a run failed, and which engines computed them; problems go to stderr,
// the worst one's exit code to `exit_code`.
std::vector<Json> Run(const std::vector<RunOptions>& planned, const ReproduceOptions& options,
                      std::string* engines, int* exit_code) {
  ProgressBar bar(options.quiet);
  const std::vector<WorkerOutcome> outcomes = RunStored(
      planned.size(), options.jobs, options.store,
      [&](size_t i) -> const RunOptions& { return planned[i]; },
      [&](size_t done) { bar.Show("reproduce", done, planned.size()); });
  bar.Clear();
  WarnOfSizes(outcomes, false);  // an experiment's workloads without sizes are meant so
  *engines = EngineLine(outcomes);
  std::vector<Json> runs;
  for (size_t i = 0; i < planned.size(); ++i) {
    const WorkerOutcome& outcome = outcomes[i];
    *exit_code = std::max(*exit_code, outcome.exit_code);
    const std::string what = fmt::format("flagstone: {} under {} on {}", planned[i].workload,
                                         planned[i].policy, planned[i].machine.name);
    if (!outcome.message.empty()) fmt::print(stderr, "{}: {}\n", what, outcome.message);
    runs.push_back(outcome.result);
    if (outcome.result.is_null()) continue;
    for (const Json& check : outcome.result["checks"]) {
      if (check["passed"].get<bool>()) continue;
      fmt::print(stderr, "{}: wrong results in buffer '{}'\n", what,
                 check["buffer"].get<std::string>());
      *exit_code = std::max(*exit_code, kExitFailed);
    }
  }
  return runs;
}

// The rows of all of the study's workloads, in order; problems as in Run().
Json RunStudy(const LoadStudy& study, const ReproduceOptions& options, int* exit_code) {
  ProgressBar bar(options.quiet);
  const std::vector<WorkerOutcome> outcomes = RunStored(
      study.runs.size(), options.jobs, options.store,
      [&](size_t i, const StoreUse& use) { return RunThroughStore(study, i, use, Version()); },
      [&](size_t done) { bar.Show("reproduce", done, study.runs.size()); });
  bar.Clear();
  Json rows = Json::array();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    *exit_code = std::max(*exit_code, outcomes[i].exit_code);
    if (!outcomes[i].message.empty()) {
      fmt::print(stderr, "flagstone: {}: {}\n", study.runs[i].workload, outcomes[i].message);
    }
    if (outcomes[i].result.is_null()) continue;
    for (const Json& row : outcomes[i].result["rows"]) rows.push_back(row);
  }
  return rows;
}

// Of options that do nothing in any experiment, RefuseUseless(Given) knows.
void RefuseUseless(const ReproduceOptions& options, const Experiment& experiment,
                   const Plan& plan) {
  if (experiment.study && options.run.perturb != 0) {
    ThrowBadInput("--perturb does nothing here: experiment '{}' has no runs with a deviation",
                  experiment.name);
  }
  const bool draws = std::any_of(plan.runs.begin(), plan.runs.end(), [](const RunOptions& run) {
    return FindPolicy(run.policy).uses_seed;
  });
  if (options.run.seed != RunOptions().seed && !draws && !options.quiet) {
    fmt::print(stderr, "note: --seed does nothing here: no policy of experiment '{}' draws\n",
               experiment.name);
  }
}

int Reproduce(const ReproduceOptions& options) {
  if (options.run.perturb_up_to != 0 && options.run.perturb == 0) {
    ThrowBadInput("--perturb-up-to limits --perturb: expected --perturb N too");
  }
  GridFilter filter;
  if (!options.machines.empty()) filter.machines = SplitList(options.machines, "--machine");
  if (!options.workloads.empty()) filter.workloads = SplitList(options.workloads, "--workload");
  filter.size = options.size;
  Experiment experiment = Experiment::Load(options.experiment, filter, options.settings);
  const Plan plan = MakePlan(experiment, options);
  RefuseUseless(options, experiment, plan);
  const StopsEarly stops;
  int exit_code = 0;
  std::string engines;
  const std::vector<Json> runs = Run(plan.runs, options, &engines, &exit_code);

  std::string text;
  Json figures = Json::array();
  Json means = Json::array();
  Json tables = Json::array();
  Json rows = Json::array();
  Json summary = nullptr;
  if (experiment.study) {
    for (RunOptions& run : experiment.study->runs) run.engine = options.run.engine;
    rows = RunStudy(*experiment.study, options, &exit_code);
    summary = JudgeLoadStudy(*experiment.study, &rows);
    if (!IsReproduced(rows)) exit_code = std::max(exit_code, kExitFailed);
    text = StudyText(*experiment.study, rows, summary);
  } else if (experiment.grid) {
    text = GridText(*experiment.grid, runs);
    tables = GridJson(*experiment.grid, runs);
  } else {
    std::vector<Json> baselines;
    for (const size_t at : plan.baseline_of) baselines.push_back(at == 0 ? Json() : runs[at]);
    if (!Report(experiment, runs, baselines, &text, &figures)) {
      exit_code = std::max(exit_code, kExitFailed);
    }
    means = MeanDifferences(experiment, figures);
    text += MeanDifferencesText(experiment, means);
  }
  const Json result = {{"schema", "flagstone.reproduce/1"},
                       {"version", Version()},
                       {"command", CommandLine()},
                       {"experiment", experiment.name},
                       {"source", experiment.source},
                       {"paper", experiment.paper},
                       {"figures", figures},
                       {"means", means},
                       {"tables", tables},
                       {"rows", rows},
                       {"summary", summary},
                       {"runs", runs}};
  if (options.json.wanted) options.json.Write(result);
  options.report.Write(result);
  if (!options.json.OnStdout() && !options.report.OnStdout()) {
    fmt::print("{}\ntheirs: {}\n{}{}", experiment.description, experiment.source, text, engines);
  }
  return *Interrupted() ? kExitInterrupted : exit_code;
}

}  // namespace

void AddReproduceVerb(CommandLineParser* command) {
  Verb* verb =
      command->AddVerb("reproduce", "Run an experiment, and print ours beside its figures");
  auto options = std::make_shared<ReproduceOptions>();
  verb->Add("experiment", &options->experiment,
            "A name ('flagstone list experiments') or a TOML file")
      .Required()
      .Type("EXPERIMENT")
      .Reads(PathsAmong);
  verb->Add("--jobs", &options->jobs, "Simulations at once (default: one per processor)")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{1024});
  verb->Add("--machine", &options->machines, "Only these machines of a grid").Type("M,...");
  verb->Add("--workload", &options->workloads, "Only these workloads of a grid").Type("W,...");
  AddSize(verb, &options->size, "Size of a grid's workloads (default: the grid's own)");
  verb->Add("--set", &options->settings,
            "Change one value of all machines; may be given again: what a\nmechanism is worth")
      .Type("KEY=VALUE")
      .Repeatable();
  AddEngine(verb, &options->run.engine);
  AddSeed(verb, &options->run);
  AddPerturb(verb, &options->run);
  verb->Add(
          "--perturb-up-to", &options->run.perturb_up_to,
          "Only cases of at most W warp instructions run under several\nsettings, the others once")
      .Type("W")
      .Range(uint64_t{1}, UINT64_MAX);
  options->store.AddTo(verb);
  options->json.AddTo(verb);
  options->report.AddTo(verb);
  verb->AddFlag("-q,--quiet", &options->quiet, "No progress on stderr");
  verb->Footer(
      "Examples:\n  flagstone reproduce peer-set\n"
      "  flagstone reproduce peer-set --set sm.l1.miss_latency=0\n"
      "  flagstone reproduce paver-fig11 --machine fermi\n"
      "  flagstone reproduce paver --size medium");
  verb->Do([options] { return Reproduce(*options); });
}

}  // namespace flagstone
