#include "app/cli/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

#include "app/cli/files_read.h"
#include "app/flow/run/perturbation.h"
#include "app/flow/sample/sampled_launch.h"
#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "kernels/ptx/kernel.h"
#include "systemc/cosim/block_registry.h"

namespace flagstone {
namespace {

std::vector<std::string> command_line_words;
std::string command_line;

std::string NamesOf(const std::vector<NamedItem>& items) {
  std::string names;
  for (const NamedItem& item : items) names += (names.empty() ? "" : ", ") + item.name;
  return names;
}

// A check that lists what there is. The items must outlive it.
std::function<std::string(const std::string&)> OneOf(const std::vector<NamedItem>& items,
                                                     const std::string& what) {
  return [&items, what](const std::string& value) -> std::string {
    for (const NamedItem& item : items) {
      if (item.name == value) return "";
    }
    return fmt::format("unknown {} '{}': expected one of {}", what, value, NamesOf(items));
  };
}

// A word that verbs take by its place: in the place of a file's name it is hardly meant as one.
bool IsOurWord(const std::string& word) {
  constexpr std::string_view kWords[] = {
      "all",      "list",       "verify",      "prune",       "plan",      "run",     "status",
      "collect",  "report",     "workloads",   "keys",        "blocks",    "columns", "machines",
      "policies", "schedulers", "prefetchers", "experiments", "statistics"};
  if (word.empty() || word.find_first_of("/.") != std::string::npos) return false;
  if (std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords)) return true;
  std::error_code error;
  const std::filesystem::path data = DataFolder();
  const auto blocks = BlockRows();
  return std::filesystem::exists(data / "workloads" / word / "workload.toml", error) ||
         std::filesystem::exists(data / "experiments" / (word + ".toml"), error) ||
         std::any_of(blocks.begin(), blocks.end(),
                     [&](const BlockRow& block) { return block.name == word; });
}

void WarnOfOtherSize(const std::string& workload, const std::string& size,
                     const std::string& asked) {
  // A workload without sizes is as it is; "test" is asked for by those who ask for none.
  if (size == asked || (size.empty() && asked == "test")) return;
  fmt::print(stderr, "warning: {} has no size '{}': it is run {}\n", workload, asked,
             size.empty() ? "as it stands, without sizes" : fmt::format("at size '{}'", size));
}

}  // namespace

void JsonOption::AddTo(Verb* verb) {
  verb->AddOptional(
          "--json",
          [this](const std::string& value) {
            wanted = true;
            file = value;
          },
          "JSON to FILE; to stdout in place of the table without\none, or with -")
      .Check([](const std::string& value) -> std::string {
        if (!IsOurWord(value)) return "";
        return fmt::format(
            "'{}' stands where its FILE would: expected --json at the end, or a file such as "
            "{}.json",
            value, value);
      })
      .Type("[FILE]")
      .Output();
}

void JsonOption::Write(const Json& json) const {
  const std::string text = json.dump(2) + "\n";
  if (file.empty()) {
    fmt::print("{}", text);
  } else {
    WriteFileAtomically(file, text);
  }
}

Option AddSize(Verb* verb, std::string* size, const std::string& help) {
  static const std::vector<NamedItem> kSizes = {
      {"test", ""}, {"medium", ""}, {"ladm", ""}, {"paper", ""}};
  return verb->Add("--size", size, help)
      .Check(OneOf(kSizes, "size"))
      .Type("test|medium|ladm|paper");
}

Option AddWorkload(Verb* verb, RunOptions* options) {
  return verb
      ->Add("workload", &options->workload,
            "A name ('flagstone list workloads'), a workload.toml, or a\n.ptx with --entry, "
            "--grid, --block and --arg")
      .Required()
      .Type("WORKLOAD")
      .Reads(FilesOfWorkloads(&options->size));
}

void CommonOptions::AddTo(Verb* verb, bool many_machines) {
  AddSize(verb, &run.size, "test: quick; medium: fills a machine; others: papers'").ShowDefault();
  verb->Add("--input", &inputs, "A file for an input or buffer of the workload; may be given again")
      .Type("NAME=FILE")
      .Input()
      .Repeatable();
  AddMachineTo(verb, many_machines);
}

void CommonOptions::AddMachineTo(Verb* verb, bool many_machines) {
  verb->Add("--machine", &machine,
            many_machines ? "Names ('flagstone list machines') or TOML files"
                          : "A name ('flagstone list machines') or a TOML file")
      .Type(many_machines ? "M[,M...]" : "M")
      .Reads(PathsAmong)
      .ShowDefault();
  verb->Add("--set", &settings, "Change one value of the machine; may be given again")
      .Type("KEY=VALUE")
      .Repeatable();
  AddSeed(verb, &run);
  json.AddTo(verb);
  verb->AddFlag("-q,--quiet", &quiet, "No progress and no notes on stderr");
}

InputFiles CommonOptions::Files() const {
  InputFiles files;
  for (const std::string& input : inputs) {
    const size_t equals = input.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == input.size()) {
      ThrowBadInput("--input '{}': expected NAME=FILE", input);
    }
    files[input.substr(0, equals)] = input.substr(equals + 1);
  }
  return files;
}

MachineConfig CommonOptions::LoadMachine(const std::string& name) const {
  MachineConfig loaded = MachineConfig::Load(name, settings);
  ChooseBlocks(warp_scheduler, prefetcher, &loaded);
  return loaded;
}

RunOptions CommonOptions::Resolved() const {
  RunOptions options = run;
  options.machine = LoadMachine();
  options.files = Files();
  launch.Put(&options);
  if (!options.policy.empty()) return options;
  options.policy = DefaultPolicy(options.machine);
  if (options.machine.numa.Nodes() > 1 && !quiet) {
    fmt::print(stderr, "note: policy {}, as {} has {} nodes (--policy chooses another)\n",
               options.policy, options.machine.name, options.machine.numa.Nodes());
  }
  return options;
}

Workload CommonOptions::Load(Workload::For purpose) const {
  RefuseTwoMeanings(run.workload);
  RunOptions options = run;
  options.files = Files();
  launch.Put(&options);
  return LoadWorkload(options, purpose);
}

bool CommonOptions::PrintedLaunch() const {
  if (!launch.dry_run()) return false;
  RunOptions options = run;
  launch.Put(&options);
  fmt::print("{}", options.workload_text);
  return true;
}

void AddPolicy(Verb* verb, RunOptions* options) {
  options->policy.clear();
  verb->Add("--policy", &options->policy,
            "TB scheduling policy ('flagstone list policies'); else\nlrr, or rr-node on machines "
            "of several nodes")
      .Type("P")
      .Reads(FilesOfPolicies)
      .Check([](const std::string& name) -> std::string {
        return name.empty() ? "policy '' is unknown: expected one of 'flagstone list policies'"
                            : "";
      });
}

void AddEngine(Verb* verb, Engine* engine) {
  static const std::vector<NamedItem> kNames = {{"rtl", ""}, {"model", ""}, {"lockstep", ""}};
  verb->AddTaken(
          "--engine",
          [engine](const std::string& name) {
            *engine = name == "rtl"     ? Engine::kRtl
                      : name == "model" ? Engine::kModel
                                        : Engine::kLockstep;
          },
          "Hardware blocks: RTL, C++ models, or both compared")
      .Check(OneOf(kNames, "engine"))
      .Type("rtl|model|lockstep")
      .Default("rtl");
}

void AddValues(Verb* verb, RunOptions* options) {
  verb->AddTaken(
          "--values",
          [options](const std::string& name) {
            options->values = name == "slice" ? Values::kSlice : Values::kFull;
          },
          "Compute all values, or only what addresses, predicates\n"
          "and control need (same timing)")
      .Check([](const std::string& name) -> std::string {
        if (name == "full" || name == "slice") return "";
        return fmt::format("unknown values '{}': expected full or slice", name);
      })
      .Type("full|slice")
      .Default("full");
  verb->AddFlag("--no-check", &options->skip_checks,
                "Do not compare the results with their references");
}

void AddWarpScheduler(Verb* verb, CommonOptions* options) {
  verb->Add("--warp-scheduler", &options->warp_scheduler, "Warp scheduler (default: the machine's)")
      .Check(OneOf(WarpSchedulers(), "warp scheduler"))
      .Type("S");
}

void AddPrefetcher(Verb* verb, CommonOptions* options) {
  verb->Add("--prefetch", &options->prefetcher, "Prefetcher (default: the machine's)")
      .Check(OneOf(Prefetchers(), "prefetcher"))
      .Type("P");
}

void AddMaxInstructions(Verb* verb, RunOptions* options) {
  verb->Add("--max-instructions", &options->max_instructions,
            "Fail a launch that is only executed and takes more\nwarp instructions")
      .Type("N")
      .Range(uint64_t{1}, UINT64_MAX);
}

void AddPerturb(Verb* verb, RunOptions* options) {
  verb->Add("--perturb", &options->perturb,
            "Run under N settings that differ by a cycle of latency or\ntwo lines of buffers, for "
            "the deviation of each figure")
      .Type("N")
      .Range(uint64_t{2}, uint64_t{kPerturbations});
}

void AddSample(Verb* verb, RunOptions* options) {
  verb->Add("--sample", &options->sample_percent,
            "Simulate part of launches of many waves or long loops, until\ncycles are known to P "
            "percent; else whole")
      .Type("P")
      .Range(kLeastSamplePercent, kMostSamplePercent);
}

void AddSeed(Verb* verb, RunOptions* options) {
  verb->Add("--seed", &options->seed, "Seed of the graph partitioner").Type("N").ShowDefault();
}

void AddData(Verb* verb, RunOptions* options) {
  static const std::vector<NamedItem> kItems = {{"static", ""}, {"known", ""}};
  verb->AddTaken(
          "--data", [options](const std::string& value) { options->known_data = value == "known"; },
          "Loads whose addresses depend on data: left out, or\n"
          "found by executing")
      .Check(OneOf(kItems, "data"))
      .Type("static|known")
      .Default("static");
}

const std::vector<NamedItem>& WarpSchedulers() {
  static const std::vector<NamedItem> kItems = [] {
    std::vector<NamedItem> items;
    for (const WarpSchedulerDescriptor* scheduler : AllWarpSchedulers()) {
      items.push_back({std::string(scheduler->name), std::string(scheduler->summary)});
    }
    return items;
  }();
  return kItems;
}

const std::vector<NamedItem>& Prefetchers() {
  static const std::vector<NamedItem> kItems = [] {
    std::vector<NamedItem> items;
    for (const PrefetcherDescriptor* prefetcher : AllPrefetchers()) {
      items.push_back({std::string(prefetcher->name), std::string(prefetcher->summary)});
    }
    return items;
  }();
  return kItems;
}

void WarnOfSize(const Json& record) {
  const Json& size = record["size"];
  WarnOfOtherSize(record["workload"], size.is_null() ? "" : size.get<std::string>(),
                  record["asked_size"]);
}

void WarnOfSize(const Workload& workload) {
  WarnOfOtherSize(workload.name, workload.size, workload.asked_size);
}

void NoteWhatIsNotExecuted(const Workload& workload) {
  std::set<const ptx::Kernel*> seen;
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    const ptx::Kernel& kernel = workload.KernelOf(i);
    if (kernel.refusals.empty() || !seen.insert(&kernel).second) continue;
    const ptx::Refusal& first = kernel.refusals.front();
    const size_t others = kernel.refusals.size() - 1;
    fmt::print(stderr,
               "entry '{}' can be analyzed, not run: {}: '{}' in line {}{}; what depends on its "
               "result is left out\n",
               kernel.name, first.reason, first.text, first.location.line,
               others == 0 ? "" : fmt::format(", and {} more", others));
  }
}

bool FillsMachine(const Json& record, const MachineConfig& machine) {
  for (const Json& launch : record["launches"]) {
    const Json &tbs = launch["tb"]["count"], &at_once = launch["tbs_per_sm"];
    if (!tbs.is_number() || !at_once.is_number()) return true;  // nothing was timed
    if (tbs.get<uint64_t>() >= at_once.get<uint64_t>() * machine.sm.count) return true;
  }
  return false;
}

std::vector<std::string> SplitList(const std::string& list, const std::string& option) {
  std::vector<std::string> items;
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) ThrowBadInput("{}: an empty item in '{}'", option, list);
    items.push_back(list.substr(begin, end - begin));
    if (std::count(items.begin(), items.end(), items.back()) > 1) {
      ThrowBadInput("{}: '{}' is given twice: expected it once", option, items.back());
    }
    if (end == list.size()) return items;
    begin = end + 1;
  }
}

std::vector<const Policy*> FindPolicies(const std::string& list) {
  std::vector<const Policy*> policies;
  for (const std::string& name : SplitList(list, "--policy")) {
    const Policy* const policy = &FindPolicy(name);
    for (const Policy* other : policies) {
      if (!AreAlike(*policy, *other)) continue;
      ThrowBadInput("--policy: '{}' and '{}' are the same policy: expected it once", other->name,
                    policy->name);
    }
    policies.push_back(policy);
  }
  return policies;
}

void SetCommandLine(int argc, char** argv) {
  command_line_words.assign(argv + 1, argv + argc);
  command_line = "flagstone";
  for (const std::string& word : command_line_words) command_line += " " + word;
}

const std::vector<std::string>& CommandLineWords() { return command_line_words; }

const std::string& CommandLine() { return command_line; }

}  // namespace flagstone
