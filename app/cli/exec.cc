// `flagstone exec`: an unmodified CUDA program on the simulated GPU.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/cli/options.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/results/trace_events.h"
#include "base/demangle.h"
#include "base/error.h"
#include "base/file.h"
#include "base/pattern.h"
#include "kernels/cuda/server/program.h"
#include "kernels/cuda/server/program_file.h"

namespace flagstone {
namespace {

using cuda::KernelTotals;
using cuda::ProgramOptions;
using cuda::ProgramResult;

struct ExecVerb {
  CommonOptions common;
  bool toolkit = false;
  bool detail = false;
  std::string kernel, launches, expect, record, timeline;
  std::vector<std::string> command;
};

std::optional<Pattern> PatternOf(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  std::optional<Pattern> pattern = Pattern::Of(text);
  if (!pattern) ThrowBadInput("{} '{}': expected an extended regular expression", option, text);
  return pattern;
}

// "3", "2-5", "2-"
void ParseRange(const std::string& text, cuda::Selection* selection) {
  if (text.empty()) return;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, selection->first);
  bool good = error == std::errc() && selection->first > 0;
  if (good && stop == end) {
    selection->last = selection->first;
    return;
  }
  good = good && *stop == '-';
  if (good && stop + 1 != end) {
    const auto last = std::from_chars(stop + 1, end, selection->last);
    good = last.ec == std::errc() && last.ptr == end && selection->last >= selection->first;
  }
  if (!good) ThrowBadInput("--launches '{}': expected A, A-B or A-, counted from 1", text);
}

std::string Shape(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

std::vector<std::string> Cells(const LaunchStatistics& s, bool timed) {
  if (!timed) return {"-", Grouped(s.warp_instructions), "-", "-", "-"};
  const auto share = [](uint64_t part, uint64_t whole) {
    if (whole == 0) return std::string("-");
    return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  };
  return {Grouped(s.cycles), Grouped(s.warp_instructions),
          s.cycles == 0 ? "-"
                        : fmt::format("{:.1f}", static_cast<double>(s.thread_instructions) /
                                                    static_cast<double>(s.cycles)),
          share(s.l1.misses, s.l1.accesses), Grouped(s.l2.accesses)};
}

void AddFigures(Table* table) {
  for (const char* name : {"cycles", "warp instr.", "IPC", "L1 miss", "L2 accesses"}) {
    table->AddColumn(name, Table::Align::kRight);
  }
}

std::string Shortened(const std::string& name) {
  constexpr size_t kMost = 28;
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

// Launch by launch where they are few, else kernel by kernel.
std::string LaunchTable(const ProgramResult& result, bool timed) {
  Table table;
  const auto add = [&](std::vector<std::string> cells, const LaunchStatistics& s, bool is_timed) {
    for (std::string& cell : Cells(s, is_timed)) cells.push_back(std::move(cell));
    table.AddRow(std::move(cells));
  };
  if (result.launches <= cuda::Launches::kKept) {
    table.AddColumn("launch", Table::Align::kRight);
    table.AddColumn("kernel", Table::Align::kLeft);
    table.AddColumn("TBs", Table::Align::kRight);
    table.AddColumn("threads", Table::Align::kRight);
    AddFigures(&table);
    size_t number = 0;
    for (const LaunchRecord& launch : result.record.launches) {
      add({fmt::format("{}", ++number), Shortened(KernelName(launch.entry)), Shape(launch.grid),
           Shape(launch.block)},
          launch.statistics, !launch.executed);
    }
    return table.ToString();
  }
  table.AddColumn("kernel", Table::Align::kLeft);
  table.AddColumn("launches", Table::Align::kRight);
  table.AddColumn("simulated", Table::Align::kRight);
  AddFigures(&table);
  for (const auto& [name, totals] : result.kernels) {
    add({Shortened(KernelName(name)), Grouped(totals.launches), Grouped(totals.simulated)},
        totals.statistics, timed && totals.simulated > 0);
  }
  return table.ToString();
}

// "passed", "failed", or "none" where nobody judged: a program that ends with 0 whatever it found
// says nothing.
std::string Check(const ProgramOptions& options, const ProgramResult& result) {
  if (result.exit_code != 0 || result.failed != 0) return "failed";
  if (!options.expect) return "none";
  return result.matched ? "passed" : "failed";
}

// A pattern that says nothing would be taken for one that is not given.
std::string ExpectPattern(const std::string& pattern) {
  return pattern.empty() ? "expected an extended regular expression, found nothing" : "";
}

void WarnOfNoneSimulated(const ExecVerb& verb, const ProgramResult& result) {
  if (verb.common.run.functional || result.launches == 0) return;
  for (const auto& [name, totals] : result.kernels) {
    if (totals.simulated != 0) return;
  }
  if (verb.kernel.empty() && verb.launches.empty()) return;
  fmt::print(stderr, "warning: no launch is simulated: {}{}{}{} chooses none of {}\n",
             verb.kernel.empty() ? "" : "--kernel " + verb.kernel,
             verb.kernel.empty() || verb.launches.empty() ? "" : " with ",
             verb.launches.empty() ? "" : "--launches ", verb.launches, Grouped(result.launches));
}

void Note(const ExecVerb& verb, const ProgramOptions& options, const ProgramResult& result) {
  if (!result.connected) {
    fmt::print(stderr,
               "flagstone: the program has not used CUDA's runtime: expected one that the "
               "kit's nvcc or nvcc -cudart shared has linked\n");
    return;
  }
  WarnOfNoneSimulated(verb, result);
  if (verb.common.quiet) return;
  fmt::print(stderr, "\n{} on {}: policy {}, engine {}\n", result.record.workload,
             result.record.machine, result.record.policy, result.record.engine);
  if (result.launches != 0) {
    fmt::print(stderr, "{}", LaunchTable(result, result.record.Timed()));
  }
  const double analysis = result.record.host.analysis_seconds;
  const double own = result.start_seconds + result.host_seconds;
  fmt::print(stderr, "launches: {}{}; exit code {}; check: {}\n", Grouped(result.launches),
             result.failed == 0 ? "" : fmt::format(", {} failed", result.failed), result.exit_code,
             Check(options, result));
  if (analysis > 0 && own > 0) {
    fmt::print(stderr,
               "host: JIT analysis {:.4f} s, {:.2f} % of the program's initialisation, allocation "
               "and copies ({:.3f} s)\n",
               analysis, 100 * analysis / own, own);
  }
  if (result.recorded) {
    fmt::print(stderr, "recorded: flagstone run {}\n", verb.record);
  } else if (!verb.record.empty()) {
    fmt::print(stderr, "note: no launch, so that nothing is recorded\n");
  }
}

// Without --, an option behind the program would be ours, and the program would not get it.
void RefuseOptionsBehind(const std::vector<std::string>& command) {
  const std::vector<std::string>& words = CommandLineWords();
  if (std::find(words.begin(), words.end(), "--") != words.end()) return;
  if (std::equal(command.rbegin(), command.rend(), words.rbegin())) return;
  ThrowBadInput(
      "an option stands behind the program '{}': expected ours before it, and its own after --: "
      "flagstone exec [options] -- PROGRAM ARGUMENTS",
      command.front());
}

int Exec(const ExecVerb& verb) {
  if (verb.toolkit) {
    fmt::print("{}\n", cuda::Toolkit().string());
    return 0;
  }
  if (verb.command.empty()) {
    ThrowBadInput("expected a program: flagstone exec [options] -- PROGRAM ARGUMENTS");
  }
  RefuseOptionsBehind(verb.command);
  if (verb.common.json.OnStdout()) {
    ThrowBadInput("--json: stdout is the program's: expected --json FILE");
  }
  if (verb.common.run.sample_percent != 0 && !verb.timeline.empty()) {
    ThrowBadInput("--sample leaves TBs out, and --timeline is of all: expected one of the two");
  }
  ProgramOptions options;
  options.run = verb.common.Resolved();
  options.run.version = Version();
  options.run.detail = verb.detail || !verb.timeline.empty();
  options.command = verb.command;
  options.selection.kernel = PatternOf(verb.kernel, "--kernel");
  ParseRange(verb.launches, &options.selection);
  options.expect = PatternOf(verb.expect, "--expect");
  options.record = verb.record;
  options.command_line = CommandLine();
  options.keep_all = verb.common.json.wanted || !verb.timeline.empty();
  ProgressBar bar(verb.common.quiet);
  options.run.progress = [&](const Progress& p) { bar.Show(verb.command.front(), p); };
  const ProgramResult result = cuda::RunProgram(options);
  bar.Clear();

  if (verb.common.json.wanted) {
    Json json = ToJson(result.record, Version(), CommandLine(), verb.detail);
    json["program"] = {{"command", verb.command},
                       {"exit_code", result.exit_code},
                       {"check", Check(options, result)},
                       {"launches", result.launches},
                       {"failed_launches", result.failed},
                       {"start_seconds", result.start_seconds},
                       {"allocation_and_copy_seconds", result.host_seconds}};
    verb.common.json.Write(json);
  }
  if (!verb.timeline.empty()) {
    WriteFileAtomically(verb.timeline, MakeTraceEvents(result.record, {}, CommandLine()).text);
  }
  for (const Finding& finding : result.record.findings) {
    fmt::print(stderr, "{}: {}\n", finding.kind == FindingKind::kRace ? "flagstone" : "warning",
               finding.text);
  }
  Note(verb, options, result);
  if (result.record.interrupted) return kExitInterrupted;
  if (result.exit_code != 0) return result.exit_code;
  return Check(options, result) == "failed" || result.record.HasRaces() ? kExitFailed : 0;
}

}  // namespace

void AddExecVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("exec", "Run a CUDA program on the simulated GPU");
  auto owner = std::make_shared<ExecVerb>();
  RunOptions* const options = &owner->common.run;
  verb->Add("command", &owner->command, "The program and its arguments, after --").Type("PROGRAM");
  verb->AddFlag(
      "--toolkit", &owner->toolkit,
      "Print the folder of the kit that compiles .cu files:\nits bin/nvcc, include, lib64");
  AddPolicy(verb, options);
  AddWarpScheduler(verb, &owner->common);
  AddPrefetcher(verb, &owner->common);
  AddData(verb, options);
  AddSample(verb, options);
  AddEngine(verb, &options->engine);
  verb->AddFlag("--functional", &options->functional,
                "Only execute the launches: no machine, no cycles");
  verb->Add("--kernel", &owner->kernel,
            "Simulate the kernels whose names match; execute the others")
      .Type("REGEX")
      .Check(ExpectPattern);
  verb->Add("--launches", &owner->launches,
            "Simulate these launches, counted from 1 (with --kernel:\nof its); execute the others")
      .Type("A-B");
  verb->Add("--expect", &owner->expect, "Fail unless a line of the program's output matches")
      .Type("REGEX")
      .Check(ExpectPattern);
  verb->Add("--record", &owner->record,
            "Write the launches (those of --kernel and\n--launches) as a workload that 'run' takes")
      .Type("DIR")
      .Output();
  verb->AddFlag("--cold-l2", &options->cold_l2,
                "Start with an empty L2 (else: warm from the copies)");
  verb->AddFlag("--miss-classes", &options->miss_classes,
                "Say in the JSON why loads missed in the L1");
  verb->AddFlag("--detail", &owner->detail, "--json says where and when each TB ran");
  verb->Add("--timeline", &owner->timeline,
            "Write TBs, steals and counters over time, for Perfetto")
      .Type("FILE.json")
      .Output();
  verb->Add("--max-cycles", &options->max_cycles, "Fail a launch that takes longer")
      .Type("N")
      .Range(uint64_t{1}, UINT64_MAX);
  AddMaxInstructions(verb, options);
  verb->AddFlag("--check-races", &options->check_races, "Fail where threads race on shared memory");
  verb->Add("--threads", &options->threads,
            "Split the SMs over N threads; the results stay the same")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{64})
      .ShowDefault();
  owner->common.AddMachineTo(verb);
  verb->Footer(
      "Examples:\n"
      "  PATH=$(flagstone exec --toolkit)/bin:$PATH make\n"
      "  flagstone exec --policy rb --machine volta -- ./program 1024\n"
      "  flagstone exec --functional --record recorded -- ./program; flagstone run recorded/");
  verb->Do([owner] { return Exec(*owner); });
}

}  // namespace flagstone
