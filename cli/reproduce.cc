// `flagstone reproduce`: the runs of an experiment, with ours beside the published figures.
#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "cli/grid_page.h"
#include "cli/options.h"
#include "cli/study_page.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "cli/worker_pool.h"
#include "flow/experiment.h"

namespace flagstone {
namespace {

struct ReproduceOptions {
  std::string experiment, machines, workloads;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  Engine engine = Engine::kRtl;
  uint64_t seed = 1;
  JsonOption json;
  bool quiet = false;
};

std::string Text(const std::optional<double>& value) {
  if (!value) return "-";
  const bool whole = *value == std::floor(*value) && *value < 1e15;
  return whole ? Grouped(static_cast<uint64_t>(*value)) : fmt::format("{:.3f}", *value);
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
      table.AddRow({m == 0 ? c.label : "", metric.Heading(), Text(figure.ours), Text(figure.theirs),
                    difference ? fmt::format("{:+.1f}%", 100 * *difference) : "-",
                    metric.tolerance ? fmt::format("{:.0f}%", 100 * *metric.tolerance) : "-",
                    verdict});
      good = good && (agrees || !c.explained[m].empty());
      if (!agrees && !c.explained[m].empty()) {
        notes += fmt::format("{}, {}: {}\n", c.label, metric.Heading(), c.explained[m]);
      }
      records->push_back({{"case", c.label},
                          {"metric", metric.Heading()},
                          {"ours", OrNull(figure.ours)},
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
  std::vector<RunRequest> requests;
  std::vector<size_t> baseline_of;
};

Plan MakePlan(const Experiment& experiment, const ReproduceOptions& options) {
  Plan plan;
  if (experiment.grid) plan.requests = experiment.grid->runs;
  for (const ExperimentCase& c : experiment.cases) plan.requests.push_back(c.request);
  for (const ExperimentCase& c : experiment.cases) {
    plan.baseline_of.push_back(c.baseline ? plan.requests.size() : 0);
    if (c.baseline) plan.requests.push_back(*c.baseline);
  }
  for (RunRequest& request : plan.requests) {
    request.engine = options.engine;
    request.seed = options.seed;
  }
  return plan;
}

// The run records, null where a run failed; problems go to stderr, the worst one's exit code to
// `exit_code`.
std::vector<Json> Run(const std::vector<RunRequest>& requests, const ReproduceOptions& options,
                      int* exit_code) {
  ProgressBar bar(options.quiet);
  const std::vector<WorkerOutcome> outcomes = RunWorkers(
      requests.size(), options.jobs,
      [&](size_t i) { return ToJson(RunWorkload(requests[i]), Version(), CommandLine()); },
      [&](size_t done) { bar.Show("reproduce", done, requests.size()); });
  bar.Clear();
  std::vector<Json> runs;
  for (size_t i = 0; i < requests.size(); ++i) {
    const WorkerOutcome& outcome = outcomes[i];
    *exit_code = std::max(*exit_code, outcome.exit_code);
    const std::string what = fmt::format("flagstone: {} under {} on {}", requests[i].workload,
                                         requests[i].policy->name, requests[i].machine.name);
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
  const std::vector<WorkerOutcome> outcomes = RunWorkers(
      study.runs.size(), options.jobs, [&](size_t i) { return RunLoadStudy(study, i); },
      [&](size_t done) { bar.Show("reproduce", done, study.runs.size()); });
  bar.Clear();
  Json rows = Json::array();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    *exit_code = std::max(*exit_code, outcomes[i].exit_code);
    if (!outcomes[i].message.empty()) {
      fmt::print(stderr, "flagstone: {}: {}\n", study.runs[i].workload, outcomes[i].message);
    }
    for (const Json& row : outcomes[i].result) rows.push_back(row);
  }
  return rows;
}

int Reproduce(const ReproduceOptions& options) {
  GridFilter filter;
  if (!options.machines.empty()) filter.machines = SplitList(options.machines, "--machine");
  if (!options.workloads.empty()) filter.workloads = SplitList(options.workloads, "--workload");
  Experiment experiment = Experiment::Load(options.experiment, filter);
  const Plan plan = MakePlan(experiment, options);
  CatchInterrupts();
  int exit_code = 0;
  const std::vector<Json> runs = Run(plan.requests, options, &exit_code);

  std::string text;
  Json figures = Json::array();
  Json tables = Json::array();
  Json rows = Json::array();
  if (experiment.study) {
    for (RunRequest& request : experiment.study->runs) request.engine = options.engine;
    rows = RunStudy(*experiment.study, options, &exit_code);
    text = StudyText(*experiment.study, rows);
  } else if (experiment.grid) {
    text = GridText(*experiment.grid, runs);
    tables = GridJson(*experiment.grid, runs);
  } else {
    std::vector<Json> baselines;
    for (const size_t at : plan.baseline_of) baselines.push_back(at == 0 ? Json() : runs[at]);
    if (!Report(experiment, runs, baselines, &text, &figures)) {
      exit_code = std::max(exit_code, kExitFailed);
    }
  }
  if (options.json.wanted) {
    options.json.Write({{"schema", "flagstone.reproduce/1"},
                        {"command", CommandLine()},
                        {"experiment", experiment.name},
                        {"source", experiment.source},
                        {"figures", figures},
                        {"tables", tables},
                        {"rows", rows},
                        {"runs", runs}});
  }
  if (!options.json.wanted || !options.json.file.empty()) {
    fmt::print("{}\ntheirs: {}\n{}", experiment.description, experiment.source, text);
  }
  return *Interrupted() ? kExitInterrupted : exit_code;
}

}  // namespace

void AddReproduceVerb(CLI::App* app, int* exit_code) {
  CLI::App* verb =
      app->add_subcommand("reproduce", "Run an experiment, and print ours beside its figures");
  auto options = std::make_shared<ReproduceOptions>();
  verb->add_option("experiment", options->experiment,
                   "A name ('flagstone list experiments') or a TOML file")
      ->required()
      ->type_name("EXPERIMENT");
  verb->add_option("--jobs", options->jobs, "Simulations at once (default: one per processor)")
      ->type_name("N")
      ->check(CLI::Range(size_t{1}, size_t{1024}));
  verb->add_option("--machine", options->machines, "Only these machines of a grid")
      ->type_name("M,...");
  verb->add_option("--workload", options->workloads, "Only these workloads of a grid")
      ->type_name("W,...");
  AddEngine(verb, &options->engine);
  verb->add_option("--seed", options->seed, "Seed of the graph partitioner")
      ->type_name("N")
      ->capture_default_str();
  options->json.AddTo(verb);
  verb->add_flag("-q,--quiet", options->quiet, "No progress on stderr");
  verb->footer(
      "Example:\n  flagstone reproduce peer\n"
      "  flagstone reproduce paver-fig11 --machine fermi");
  verb->callback([options, exit_code] { *exit_code = Reproduce(*options); });
}

}  // namespace flagstone
