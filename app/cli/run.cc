// `flagstone run`: one workload under one policy on one machine.
#include "app/flow/run/run.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/run_page.h"
#include "app/cli/store_options.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/cli/wave_options.h"
#include "app/flow/run/stored_run.h"
#include "app/results/trace_events.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

struct RunVerb {
  CommonOptions common;
  bool verbose = false;
  bool detail = false;        // in the JSON
  bool miss_classes = false;  // in the JSON and on the page
  ReportOption report;
  std::string timeline;  // a file; empty: none
  CycleWindow timeline_window;
  WaveOptions wave;
  std::vector<std::string> dumps;  // NAME=FILE
  StoreOptions store;
};

// Blocks that have no RTL run as models under every engine; the user should know which.
void NoteModelBlocks(const Json& record) {
  std::string models;
  for (const Json& block : record["blocks"]) {
    if (block["body"] != "model") continue;
    models += (models.empty() ? "" : ", ") + block["path"].get<std::string>();
  }
  if (!models.empty()) fmt::print(stderr, "note: these blocks run as C++ models: {}\n", models);
}

void NoteHost(const StoredRun& run) {
  const Json& host = run.record["host"];
  const auto number = [&](const char* key) { return host[key].get<double>(); };
  fmt::print(stderr,
             "host: {:.2f} s wall, {:.2f} s CPU, {:.0f} warp instructions per CPU second, analysis "
             "{:.4f} s, peak {:.0f} MB{}\n",
             number("seconds"), number("cpu_seconds"),
             run.record["totals"]["warp_instructions"].get<double>() /
                 std::max(number("cpu_seconds"), 1e-9),
             number("analysis_seconds"), number("peak_rss_bytes") / 1e6,
             run.from_store ? ", of the run whose result the store holds" : "");
}

constexpr size_t kShownRaces = 10;

// What the run found that is no fault; races are, but all of them are of interest. Gives the number
// of races.
size_t NoteFindings(const Json& record) {
  size_t races = 0;
  for (const Json& finding : record["findings"]) {
    const bool is_race = finding["kind"] == "race";
    if (is_race && ++races > kShownRaces) continue;
    const uint64_t count = finding["times"].get<uint64_t>();
    const std::string times = count == 1 || is_race ? "" : fmt::format(" ({} times)", count);
    fmt::print(stderr, "{}: {}{}\n", is_race ? "flagstone" : "warning",
               finding["text"].get<std::string>(), times);
  }
  if (races > kShownRaces) {
    fmt::print(stderr, "flagstone: {} more races on shared memory: --json lists all\n",
               races - kShownRaces);
  }
  return races;
}

bool HasNoCheck(const Json& record) {
  return record["checks"].empty() && !record.value("checks_skipped", false);
}

bool NoCheckFailed(const Json& record) {
  const Json& checks = record["checks"];
  return std::all_of(checks.begin(), checks.end(),
                     [](const Json& check) { return check["passed"].get<bool>(); });
}

std::vector<BufferDump> Dumps(const RunVerb& verb) {
  std::vector<BufferDump> dumps;
  for (const std::string& dump : verb.dumps) {
    const size_t equals = dump.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == dump.size()) {
      ThrowBadInput("--dump-buffer '{}': expected NAME=FILE", dump);
    }
    dumps.push_back({dump.substr(0, equals), dump.substr(equals + 1)});
  }
  return dumps;
}

bool DumpsToStdout(const std::vector<BufferDump>& dumps) {
  return std::any_of(dumps.begin(), dumps.end(), [](const BufferDump& d) { return d.file == "-"; });
}

void CheckWindows(const RunVerb& verb) {
  verb.wave.Check(verb.common.run);
  const CycleWindow& window = verb.timeline_window;
  if (window.from > window.to) {
    ThrowBadInput("--timeline-from {} is after --timeline-to {}", window.from, window.to);
  }
}

void WriteTimeline(const RunRecord& record, const RunVerb& verb) {
  const TraceEvents trace = MakeTraceEvents(record, verb.timeline_window, CommandLine());
  WriteFileAtomically(verb.timeline, trace.text);
  if (verb.timeline_window.from > record.totals.cycles) {
    fmt::print(stderr, "warning: --timeline-from {} is after the run's last cycle, {}\n",
               verb.timeline_window.from, record.totals.cycles);
  }
  if (!trace.note.empty()) fmt::print(stderr, "note: timeline: {}\n", trace.note);
}

// A timeline and a report are made from more than a result in the store holds.
StoredRun Simulated(const RunOptions& options, const RunVerb& verb, ProgressBar* bar) {
  const OpenedStore store(verb.store);
  if (verb.timeline.empty() && !verb.report.wanted()) {
    return RunThroughStore(options, store.Use(), Version(), CommandLine());
  }
  RunOptions whole = options;
  const StoreUse use = store.Use();
  if (!use.fresh) whole.analyses = use.store;
  RunRecord record = RunWorkload(whole);
  bar->Clear();
  if (!verb.timeline.empty()) WriteTimeline(record, verb);
  verb.report.Write(ToJson(record, Version(), CommandLine(), record.Timed()));
  record.miss_classes = verb.miss_classes;  // the JSON has what was asked for
  return {ToJson(record, Version(), CommandLine(), verb.detail), false};
}

int Run(const RunVerb& verb) {
  const CommonOptions& common = verb.common;
  if (common.PrintedLaunch()) return 0;
  RefuseTwoMeanings(common.run.workload);
  if (common.run.checkpoint == "-") {
    ThrowBadInput("--checkpoint: a checkpoint is saved after each launch: expected a file, not -");
  }
  CheckWindows(verb);
  if (common.run.perturb != 0 && !verb.timeline.empty()) {
    ThrowBadInput(
        "--perturb makes several runs, and --timeline is of one: expected one of the two");
  }
  if (common.run.sample_percent != 0 && !verb.timeline.empty()) {
    ThrowBadInput("--sample leaves TBs out, and --timeline is of all: expected one of the two");
  }
  RunOptions options = common.Resolved();
  options.dumps = Dumps(verb);
  verb.wave.PutScope(&options);
  const bool pictures = verb.report.wanted() && !options.functional;
  options.detail = verb.detail || !verb.timeline.empty() || pictures;
  options.miss_classes = verb.miss_classes || pictures;
  options.version = Version();
  options.interrupted = Interrupted();
  ProgressBar bar(common.quiet);
  options.progress = [&](const Progress& p) { bar.Show(options.workload, p); };
  const StoredRun run = Simulated(options, verb, &bar);
  const Json& record = run.record;
  bar.Clear();

  if (common.json.wanted) common.json.Write(record);
  const bool page_on_stdout = !common.json.OnStdout() && verb.timeline != "-" &&
                              !verb.report.OnStdout() && options.wave.file != "-" &&
                              !DumpsToStdout(options.dumps);
  if (page_on_stdout) fmt::print("{}", RunPage(record));
  const size_t races = NoteFindings(record);
  WarnOfSize(record);
  if (!common.quiet && options.skip_checks && page_on_stdout && HasNoCheck(record)) {
    fmt::print(stderr, "note: --no-check does nothing here: the workload has no [check]\n");
  }
  if (!common.quiet && !options.functional && !FillsMachine(record, options.machine)) {
    fmt::print(stderr, "note: the launch does not fill the machine of {} SMs{}\n",
               options.machine.sm.count,
               record["size"] == "test" ? ": --size medium or paper has more TBs" : "");
  }
  if (!common.quiet && record["engine"] != "model") NoteModelBlocks(record);
  NoteWave(options, record, common.quiet);
  if (verb.verbose) NoteHost(run);
  if (record["interrupted"].get<bool>()) return kExitInterrupted;
  return NoCheckFailed(record) && races == 0 ? 0 : kExitFailed;
}

}  // namespace

void AddRunVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("run", "Simulate one workload cycle by cycle");
  auto owner = std::make_shared<RunVerb>();
  RunOptions* const options = &owner->common.run;
  AddWorkload(verb, options);
  AddPolicy(verb, options);
  AddWarpScheduler(verb, &owner->common);
  AddPrefetcher(verb, &owner->common);
  AddData(verb, options);
  AddPerturb(verb, options);
  AddSample(verb, options);
  AddEngine(verb, &options->engine);
  AddValues(verb, options);
  verb->AddFlag("--functional", &options->functional,
                "Only execute and check the results: no machine, no cycles");
  verb->AddFlag("--cold-l2", &options->cold_l2,
                "Start with an empty L2 (else: warm from the copies)");
  verb->AddFlag("--miss-classes", &owner->miss_classes,
                "Say why the L1s and the L2 missed: cold, capacity, conflict");
  verb->AddFlag("--detail", &owner->detail,
                "--json says where and when each TB ran, and what each\nSM, L2 slice and DRAM "
                "channel counted");
  verb->Add("--max-cycles", &options->max_cycles, "Fail a launch that takes longer")
      .Type("N")
      .Range(uint64_t{1}, UINT64_MAX);
  AddMaxInstructions(verb, options);
  verb->AddFlag("--check-races", &options->check_races,
                "Fail where threads race on shared memory, and name both\nlines");
  verb->Add("--dump-buffer", &owner->dumps,
            "Write a buffer's bytes after the last launch; may be\ngiven again")
      .Type("NAME=FILE")
      .Output()
      .Repeatable();
  verb->Add("--threads", &options->threads,
            "Split the SMs over N threads; the results stay the same")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{64})
      .ShowDefault();
  owner->wave.AddTo(verb, options);
  verb->Add("--timeline", &owner->timeline,
            "Write TBs, steals and counters over time, for Perfetto")
      .Type("FILE.json")
      .Output();
  verb->Add("--timeline-from", &owner->timeline_window.from,
            "First cycle of the run in the timeline")
      .Type("C");
  verb->Add("--timeline-to", &owner->timeline_window.to, "Last cycle of the run in the timeline")
      .Type("C");
  verb->Add("--checkpoint", &options->checkpoint, "Save the run after each launch")
      .Type("FILE")
      .Output();
  verb->Add("--resume", &options->resume, "Go on from a file of --checkpoint")
      .Type("FILE")
      .Reads([](const std::vector<std::string>& files) { return files; }, "--checkpoint")
      .FileName();
  owner->report.AddTo(verb);
  owner->store.AddTo(verb);
  owner->common.launch.AddTo(verb);
  owner->common.AddTo(verb);
  verb->AddFlag("-v,--verbose", &owner->verbose, "Time and memory of the simulation, on stderr");
  verb->Footer(
      "Examples:\n"
      "  flagstone run matmul\n"
      "  flagstone run syrk --size paper --policy rb --machine volta --json result.json\n"
      "  flagstone run syrk --policy rb --engine lockstep --wave syrk.fst --wave-to 5000");
  verb->Do([owner] { return Run(*owner); });
}

}  // namespace flagstone
