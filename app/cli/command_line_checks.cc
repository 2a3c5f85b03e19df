#include "app/cli/command_line_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/policy/policies.h"
#include "app/results/store_place.h"
#include "base/error.h"

namespace flagstone {
namespace {

using Condition = std::function<bool(const Given&)>;

std::vector<std::string> Words(const std::string& list) {
  std::istringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}
bool Holds(const std::string& list, const std::string& word) {
  const std::vector<std::string> words = Words(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

Condition With(const std::string& option) {
  return [option](const Given& given) { return given.Has(option); };
}
Condition Without(const std::string& option) {
  return [option](const Given& given) { return !given.Has(option); };
}
Condition Is(const std::string& option, const std::string& value) {
  return [=](const Given& given) { return given.Value(option) == value; };
}
Condition Both(Condition a, Condition b) {
  return [=](const Given& given) { return a(given) && b(given); };
}
// --set gives the key a value.
Condition Sets(const std::string& key) {
  return [start = key + "="](const Given& given) {
    const std::vector<std::string> settings = given.Values("--set");
    return std::any_of(settings.begin(), settings.end(),
                       [&](const std::string& setting) { return setting.starts_with(start); });
  };
}

// None of the command line's policies, or of the verb's own, is one that `uses` it.
Condition NoPolicy(std::function<bool(const Policy&)> uses) {
  return [uses = std::move(uses)](const Given& given) {
    std::string names = given.Value("--policy");
    if (names.empty()) {
      const std::string verb = given.Verb();
      names = verb == "compare" ? "lrr,rb" : verb == "analyze" ? "rb" : "lrr";
    }
    if (names == "all") return false;
    const std::vector<std::string> policies = SplitList(names, "--policy");
    return std::none_of(policies.begin(), policies.end(),
                        [&](const std::string& name) { return uses(FindPolicy(name)); });
  };
}
bool LooksAtAddresses(const Policy& policy) {
  return policy.NeedsAnalysis() || policy.needs_footprints;
}

bool ExecutesNothing(const Given& given) {
  return given.Value("--data") != "known" && !given.Has("--functional") && !given.Has("--kernel") &&
         !given.Has("--launches") && given.Value("--emit") != "ptx";
}
bool NoOrderByGroups(const Given& given) {
  const std::string orders = given.Value("--order");
  return !given.Has("--groups") && orders.find("rb") == std::string::npos &&
         orders.find("traffic") == std::string::npos;
}
bool HasSeveralPolicies(const Given& given) {
  const std::string names = given.Value("--policy");
  return names == "all" || names.find(',') != std::string::npos;
}
bool JsonOrPageOnStdout(const Given& given) {
  const std::string json = given.Value("--json");
  return (given.Has("--json") && (json.empty() || json == "-")) || given.Value("--report") == "-";
}

struct Rule {
  const char* verbs;
  const char* options;
  Condition useless;
  const char* why;
  // The option only says how something is done that is not done here, as scripts give it to all
  // their commands: worth a note. Else what was asked for would be missing.
  bool harmless = false;
};

constexpr char kOnlyInJson[] = "it adds to the JSON alone: give --json [FILE] too";

std::vector<Rule> RulesOfRuns() {
  const Condition functional = With("--functional");
  return {
      {"run exec",
       "--timeline --timeline-from --timeline-to --detail --wave --wave-from --wave-to --wave-on "
       "--wave-before --wave-after --wave-scope --miss-classes --cold-l2 --prefetch "
       "--warp-scheduler",
       functional, "it is of cycles, and --functional has none"},
      {"run exec", "--engine", Both(functional, Is("--engine", "lockstep")),
       "it is of cycles, and --functional has none"},
      {"run exec", "--engine --threads", functional, "it is of cycles, and --functional has none",
       true},
      {"exec", "--kernel --launches", Both(functional, Without("--record")),
       "--functional simulates no launch, and nothing is recorded"},
      {"run exec", "--policy --seed --data", functional,
       "--functional simulates no launch, and groups no TBs", true},
      {"run", "--store-any-engine", functional, "--functional has no engine", true},
      {"run exec", "--max-cycles", functional,
       "it counts cycles, and --functional has none: --max-instructions N limits it"},
      {"run", "--max-instructions", ExecutesNothing,
       "it limits --functional and --data known: --max-cycles N limits a simulation"},
      {"exec", "--max-instructions", ExecutesNothing,
       "it limits --functional, --data known and what --kernel and --launches leave out: "
       "--max-cycles N limits a simulation"},
      {"run exec compare analyze", "--seed",
       NoPolicy([](const Policy& policy) { return policy.uses_seed; }),
       "no policy here draws: kway, bisect, rb, rb-strict, traffic, auto and paver-node do", true},
      {"run exec compare", "--data", NoPolicy(LooksAtAddresses),
       "no policy here looks at addresses: those that analyse do, such as rb", true},
      {"run exec", "--detail", Without("--json"), kOnlyInJson, true},
      {"exec", "--miss-classes", Without("--json"), kOnlyInJson},
      {"run", "--wave-from --wave-to --wave-scope --wave-on", Without("--wave"),
       "it chooses a part of --wave: give --wave FILE.fst too"},
      {"run", "--wave-before --wave-after", Without("--wave-on"),
       "it counts from an event: give --wave-on EVENT too"},
      {"run", "--timeline-from --timeline-to", Without("--timeline"),
       "it chooses a part of --timeline: give --timeline FILE.json too"},
      {"run", "--verbose", With("--quiet"), "--quiet asks for the opposite: expected one of both"},
      {"run exec compare", "--set", Both(With("--warp-scheduler"), Sets("sm.warp_scheduler")),
       "--warp-scheduler takes the place of sm.warp_scheduler: expected one of both"},
      {"run exec compare", "--set", Both(With("--prefetch"), Sets("sm.prefetcher")),
       "--prefetch takes the place of sm.prefetcher: expected one of both"},
      {"exec", "command", With("--toolkit"), "--toolkit prints a folder, and runs no program"},
  };
}

std::vector<Rule> RulesOfOthers() {
  const Condition no_prune = [](const Given& given) { return given.Value("action") != "prune"; };
  const Condition no_list = [](const Given& given) {
    return given.Has("action") && given.Value("action") != "list";
  };
  return {
      {"analyze", "--report --json", With("--dump"),
       "--dump prints one stage alone: expected no --report and no --json"},
      {"synth",
       "--library --clock --wire --activity --treemap --schematic --netlist --points --papers "
       "--prove --detail",
       With("--fpga"), "it is of a cell library's netlists, and --fpga takes the FPGA's cells"},
      {"analyze order synth", "--detail", Without("--json"), kOnlyInJson, true},
      {"analyze", "--max-instructions", ExecutesNothing, "it limits --data known: give that too"},
      {"analyze", "--policy", Both(With("--dump"), HasSeveralPolicies),
       "--dump prints a stage of one policy: expected one name"},
      {"order", "--max-instructions", ExecutesNothing,
       "it limits --data known and --emit ptx: give one of them too"},
      {"order", "--seed", NoOrderByGroups,
       "only the orders rb and traffic draw: give --groups too, or one of them in --order", true},
      {"order", "--jobs --store --fresh --store-any-engine", Without("--verify"),
       "only --verify simulates: give it too", true},
      {"order", "--top", With("--all"), "--all shows all of them: expected one of both"},
      {"order", "--groups", With("--order"),
       "--order has only the orders that it names: rb and traffic are those of --groups"},
      {"run compare reproduce order", "--fresh --store-any-engine", Is("--store", kNoStore),
       "--store none keeps nothing", true},
      {"run compare reproduce order", "--store-any-engine", With("--fresh"),
       "--fresh takes nothing from the store", true},
      {"run compare reproduce", "--store-any-engine", Is("--engine", "lockstep"),
       "--engine lockstep always runs", true},
      {"store", "--all --days --built-mb", no_prune,
       "it chooses what 'flagstone store prune' removes"},
      {"store", "--days --built-mb", With("--all"), "--all removes all: expected one of both"},
      {"store", "--json", no_list, "only 'flagstone store list' has a table"},
      {"report", "--output", With("--extract"), "--extract prints on stdout: expected '> FILE'"},
      {"diff", "--all", JsonOrPageOnStdout,
       "it is of the table, and what is on stdout instead has every figure"},
  };
}

// Options of one action of a sweep, or of one way to run it: another one would leave them out.
struct SweepRule {
  const char* options;
  const char* uses;
};
constexpr SweepRule kOfActions[] = {
    {"--all", "plan"},
    {"--fresh --on --jobs --hosts --sbatch --batch-seconds", "run"},
    {"--retry", "run work"},
    {"--batch", "work"},
    {"--csv --sqlite --json", "collect"},
    {"--columns", "collect report"},
    {"--output", "report"},
};
constexpr SweepRule kOfEngines[] = {
    {"--hosts", "parallel"}, {"--sbatch", "slurm"}, {"--batch-seconds", "parallel slurm"}};

// The first of the options that was given; empty: none was.
std::string FirstGiven(const Given& given, const char* options) {
  for (const std::string& option : Words(options)) {
    if (given.Has(option)) return option;
  }
  return "";
}

void RefuseUselessInSweep(const Given& given) {
  const std::string action = given.Value("action");
  const auto check = [&](const SweepRule& rule, const std::string& use, const char* before) {
    const std::string option = FirstGiven(given, rule.options);
    if (option.empty() || Holds(rule.uses, use)) return;
    ThrowBadInput("sweep {}: {} does nothing here: it is an option of 'flagstone sweep {}{}'",
                  action, option, before, Words(rule.uses).front());
  };
  for (const SweepRule& rule : kOfActions) check(rule, action, "");
  if (action != "run") return;
  const std::string engine = given.Has("--on") ? given.Value("--on") : "local";
  for (const SweepRule& rule : kOfEngines) check(rule, engine, "run --on ");
}

}  // namespace

void RefuseUseless(const Given& given) {
  const std::string verb = given.Verb();
  if (verb == "sweep") RefuseUselessInSweep(given);
  for (const auto& rules : {RulesOfRuns(), RulesOfOthers()}) {
    for (const Rule& rule : rules) {
      if (!Holds(rule.verbs, verb)) continue;
      const std::string option = FirstGiven(given, rule.options);
      if (option.empty() || !rule.useless(given)) continue;
      const std::string text =
          fmt::format("{} does nothing here: {}",
                      option == "command" ? "'" + given.Value(option) + "'" : option, rule.why);
      if (!rule.harmless) ThrowBadInput("{}", text);
      if (!given.Has("--quiet")) fmt::print(stderr, "note: {}\n", text);
    }
  }
}

}  // namespace flagstone
