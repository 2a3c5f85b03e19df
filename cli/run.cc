// `flagstone run`: one workload under one policy on one machine.
#include "flow/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/options.h"
#include "cli/prefetch_tables.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "systemc/timeline.h"

namespace flagstone {
namespace {

struct RunOptions {
  CommonOptions common;
  std::string workload;
  std::string policy = "lrr";
  std::string warp_scheduler;
  std::string prefetcher;
  bool known_data = false;
  Engine engine = Engine::kRtl;
  Values values = Values::kFull;
  bool skip_checks = false;
  bool functional = false;
  bool cold_l2 = false;
  bool miss_classes = false;
  uint64_t max_cycles = 0;
  uint32_t threads = 1;
  std::string wave_scope;
  std::string timeline;
  Timeline::Window timeline_window;
  std::string checkpoint;
  std::string resume;
  WaveRequest wave;
};

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void PrintStatistics(const LaunchStatistics& s, bool timed, bool miss_classes) {
  const auto line = [](const char* name, const std::string& value) {
    fmt::print("  {:<20} {}\n", name, value);
  };
  if (timed) line("cycles", Grouped(s.cycles));
  line("warp instructions", Grouped(s.warp_instructions));
  line("thread instructions",
       timed ? fmt::format("{} ({:.1f} a cycle)", Grouped(s.thread_instructions), RunResult::Ipc(s))
             : Grouped(s.thread_instructions));
  if (!timed) return;
  line("TBs", fmt::format("{} issued, {} completed, {} at once per SM, {} groups, {} stolen",
                          s.tb.issued, s.tb.completed, s.tbs_per_sm, s.tb.groups, s.tb.stolen));
  line("  waited for a TB",
       fmt::format("{} SM cycles with a free context", Grouped(s.tb.wait_cycles)));
  const SmStatistics& sm = s.sm;
  const uint64_t slots = std::accumulate(sm.slots.begin(), sm.slots.end(), uint64_t{0});
  const auto share = [&](IssueSlot slot) { return Percent(sm[slot], slots); };
  line("warps", fmt::format("{} of the slots filled on average",
                            Percent(sm.resident_warp_cycles, sm.warp_slot_cycles)));
  line("scheduler cycles", fmt::format("issued {}, no grant {}, idle {}", share(IssueSlot::kIssued),
                                       share(IssueSlot::kNoGrant), share(IssueSlot::kIdle)));
  line("  waited for",
       fmt::format("memory {}, barrier {}, pipe {}, unit {}, fetch {}", share(IssueSlot::kMemory),
                   share(IssueSlot::kBarrier), share(IssueSlot::kPipe), share(IssueSlot::kUnit),
                   share(IssueSlot::kFetch)));
  line("L1", fmt::format("{} accesses, {} hits, {} MSHR hits, {} misses ({})",
                         Grouped(s.l1.accesses), Grouped(s.l1.hits), Grouped(s.l1.mshr_hits),
                         Grouped(s.l1.misses), Percent(s.l1.misses, s.l1.accesses)));
  if (miss_classes) {
    const L1MissClasses& classes = s.l1.classes;
    line("  load misses", fmt::format("{} cold, {} capacity, {} conflict, {} on what was written",
                                      Grouped(classes.cold), Grouped(classes.capacity),
                                      Grouped(classes.conflict), Grouped(classes.written)));
  }
  line("L2 (32 B sectors)", fmt::format("{} accesses, {} misses ({})", Grouped(s.l2.accesses),
                                        Grouped(s.l2.misses), Percent(s.l2.misses, s.l2.accesses)));
  line("DRAM (32 B sectors)", fmt::format("{} reads, {} writes, {} row hits", Grouped(s.dram.reads),
                                          Grouped(s.dram.writes), Grouped(s.dram.row_hits)));
  if (s.prefetch.demand_fetches == 0) return;
  for (const FigureLine& figure : PrefetchLines(s.prefetch)) {
    line(figure.name.c_str(), figure.value);
  }
}

void PrintOccupancy(const LaunchResult& launch) {
  if (!launch.occupancy) return;
  const Occupancy& occupancy = *launch.occupancy;
  fmt::print("  {:<20} {} a thread ({}); {} TBs fit an SM (limit: {})\n", "registers",
             occupancy.registers_per_thread,
             occupancy.registers_estimated ? "estimated by liveness" : "as the workload says",
             occupancy.tbs_per_sm, occupancy.limit);
}

void PrintAnalysis(const LaunchResult& launch) {
  if (!launch.analysis) return;
  fmt::print("  {:<20} {} edges, {} parts keep {:.1f} % of the weight; union footprint {:.3f}\n",
             "locality", Grouped(launch.analysis->edges), launch.analysis->parts,
             100 * launch.analysis->kept_weight, launch.analysis->union_ratio);
}

void PrintResult(const RunResult& result) {
  const bool timed = result.engine != "functional";
  if (timed) {
    fmt::print("{} ({}) on {}: policy {}, warp scheduler {}, prefetcher {}, engine {}\n",
               result.workload, result.size, result.machine, result.policy, result.warp_scheduler,
               result.prefetcher, result.engine);
  } else {
    fmt::print("{} ({}), executed without timing\n", result.workload, result.size);
  }
  for (const LaunchResult& launch : result.launches) {
    fmt::print("{}: {}x{}x{} TBs of {}x{}x{} threads\n", launch.entry, launch.grid.x, launch.grid.y,
               launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
    PrintOccupancy(launch);
    PrintStatistics(launch.statistics, timed, result.miss_classes);
    PrintAnalysis(launch);
  }
  if (result.launches.size() > 1) {
    fmt::print("all {} launches\n", result.launches.size());
    PrintStatistics(result.totals, timed, result.miss_classes);
  }
  fmt::print("{}", LoadPrefetchTable(result));
  if (result.lockstep_cycles != 0) {
    fmt::print("lockstep: RTL and model agreed on every output in {} cycles\n",
               Grouped(result.lockstep_cycles));
  }
  for (const CheckResult& check : result.checks) {
    fmt::print("check {}: {} (largest error {:.3g}", check.buffer,
               check.passed ? "passed" : "FAILED", check.max_error);
    if (!check.passed) {
      fmt::print("; {} wrong, the first at index {}", check.mismatches, check.first_mismatch);
    }
    fmt::print(")\n");
  }
  if (result.checks_skipped) fmt::print("checks: left out, as --no-check asks\n");
  if (result.interrupted) fmt::print("interrupted: the figures above are what was known then\n");
}

// Blocks that have no RTL run as models under every engine; the user should know which.
void NoteModelBlocks(const RunResult& result) {
  std::string models;
  for (const BlockBody& block : result.blocks) {
    if (block.body == "model") models += (models.empty() ? "" : ", ") + block.path;
  }
  if (!models.empty()) fmt::print(stderr, "note: these blocks run as C++ models: {}\n", models);
}

void NoteHost(const RunResult& result) {
  fmt::print(stderr,
             "host: {:.2f} s wall, {:.2f} s CPU, {:.0f} warp instructions per CPU second, analysis "
             "{:.4f} s, peak {:.0f} MB\n",
             result.host.seconds, result.host.cpu_seconds,
             static_cast<double>(result.totals.warp_instructions) /
                 std::max(result.host.cpu_seconds, 1e-9),
             result.host.analysis_seconds, static_cast<double>(result.host.peak_rss_bytes) / 1e6);
}

int Run(const RunOptions& options) {
  if (options.wave.file.empty() && (options.wave.from != 0 || options.wave.to != WaveRequest().to ||
                                    !options.wave_scope.empty())) {
    ThrowBadInput(
        "--wave-from, --wave-to and --wave-scope choose a part of --wave: give --wave FILE.fst "
        "too");
  }
  if (options.wave.from > options.wave.to) {
    ThrowBadInput("--wave-from {} is after --wave-to {}", options.wave.from, options.wave.to);
  }
  const bool window =
      options.timeline_window.from != 0 || options.timeline_window.to != Timeline::Window().to;
  if (options.timeline.empty() && window) {
    ThrowBadInput(
        "--timeline-from and --timeline-to choose a window of --timeline: give --timeline "
        "FILE.json too");
  }
  if (options.timeline_window.from > options.timeline_window.to) {
    ThrowBadInput("--timeline-from {} is after --timeline-to {}", options.timeline_window.from,
                  options.timeline_window.to);
  }
  if (options.functional && !options.timeline.empty()) {
    ThrowBadInput("--timeline shows cycles, and --functional has none");
  }
  ProgressBar bar(options.common.quiet);
  Timeline timeline(options.timeline_window);
  RunRequest request;
  request.workload = options.workload;
  request.size = options.common.size;
  request.files = options.common.Files();
  request.machine = options.common.LoadMachine();
  request.policy = &FindPolicy(options.policy);
  request.warp_scheduler = options.warp_scheduler;
  request.prefetcher = options.prefetcher;
  request.known_data = options.known_data;
  request.engine = options.engine;
  request.functional = options.functional;
  request.values = options.values;
  request.skip_checks = options.skip_checks;
  request.cold_l2 = options.cold_l2;
  request.miss_classes = options.miss_classes;
  request.seed = options.common.seed;
  request.max_cycles = options.max_cycles;
  request.threads = options.threads;
  request.wave = options.wave;
  if (!options.wave_scope.empty()) {
    request.wave.scope = SplitList(options.wave_scope, "--wave-scope");
  }
  if (!options.timeline.empty()) request.timeline = &timeline;
  request.version = Version();
  request.checkpoint = options.checkpoint;
  request.resume = options.resume;
  request.interrupted = Interrupted();
  request.progress = [&](const Progress& p) { bar.Show(options.workload, p); };
  CatchInterrupts();
  const RunResult result = RunWorkload(request);
  bar.Clear();

  if (!options.timeline.empty()) {
    const Timeline::Json json = timeline.ToJson(CommandLine());
    WriteFileAtomically(options.timeline, json.text);
    if (!json.note.empty()) fmt::print(stderr, "note: timeline: {}\n", json.note);
  }
  if (options.common.json.wanted) {
    options.common.json.Write(ToJson(result, Version(), CommandLine()));
  }
  if (!options.common.json.wanted || !options.common.json.file.empty()) PrintResult(result);
  if (!options.common.quiet && options.engine != Engine::kModel) NoteModelBlocks(result);
  if (options.common.verbose) NoteHost(result);
  if (result.interrupted) return kExitInterrupted;
  return result.ChecksPassed() ? 0 : kExitFailed;
}

}  // namespace

void AddRunVerb(CLI::App* app, int* exit_code) {
  CLI::App* verb = app->add_subcommand("run", "Simulate one workload cycle by cycle");
  auto options = std::make_shared<RunOptions>();
  verb->add_option("workload", options->workload,
                   "A name ('flagstone list workloads') or a workload.toml")
      ->required()
      ->type_name("WORKLOAD");
  verb->add_option("--policy", options->policy, "TB scheduling policy ('flagstone list policies')")
      ->type_name("P")
      ->capture_default_str();
  AddWarpScheduler(verb, &options->warp_scheduler);
  AddPrefetcher(verb, &options->prefetcher);
  AddData(verb, &options->known_data);
  AddEngine(verb, &options->engine);
  AddValues(verb, &options->values, &options->skip_checks);
  verb->add_flag("--functional", options->functional,
                 "Only execute and check the results: no machine, no cycles");
  verb->add_flag("--cold-l2", options->cold_l2,
                 "Start with an empty L2 (else: warm from the copies)");
  verb->add_flag("--miss-classes", options->miss_classes,
                 "Say why loads missed in the L1: cold, capacity, conflict");
  verb->add_option("--max-cycles", options->max_cycles, "Fail a launch that takes longer")
      ->type_name("N");
  verb->add_option("--threads", options->threads,
                   "Split the SMs over N threads; the results stay the same")
      ->type_name("N")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  verb->add_option("--wave", options->wave.file, "Write the hardware blocks' signals as FST")
      ->type_name("FILE.fst");
  verb->add_option("--wave-from", options->wave.from, "First cycle in the wave file")
      ->type_name("C");
  verb->add_option("--wave-to", options->wave.to, "Last cycle in the wave file")->type_name("C");
  verb->add_option("--wave-scope", options->wave_scope,
                   "Only these blocks in the wave file, such as gpu.tb_scheduler")
      ->type_name("PATH[,PATH...]");
  verb->add_option("--timeline", options->timeline,
                   "Write TBs, steals and counters over time, for Perfetto")
      ->type_name("FILE.json");
  verb->add_option("--timeline-from", options->timeline_window.from,
                   "First cycle of the run in the timeline")
      ->type_name("C");
  verb->add_option("--timeline-to", options->timeline_window.to,
                   "Last cycle of the run in the timeline")
      ->type_name("C");
  verb->add_option("--checkpoint", options->checkpoint, "Save the run after each launch")
      ->type_name("FILE");
  verb->add_option("--resume", options->resume, "Go on from a file of --checkpoint")
      ->type_name("FILE");
  options->common.AddTo(verb);
  verb->footer(
      "Examples:\n"
      "  flagstone run matmul\n"
      "  flagstone run syrk --size paper --policy rb --machine volta --json result.json\n"
      "  flagstone run syrk --policy rb --engine lockstep --wave syrk.fst --wave-to 5000");
  verb->callback([options, exit_code] { *exit_code = Run(*options); });
}

}  // namespace flagstone
