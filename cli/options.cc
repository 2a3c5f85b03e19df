#include "cli/options.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/file.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/warp_scheduler/config.h"

namespace flagstone {
namespace {

std::string command_line;

std::string NamesOf(const std::vector<NamedItem>& items) {
  std::string names;
  for (const NamedItem& item : items) names += (names.empty() ? "" : ", ") + item.name;
  return names;
}

// A validator that lists what there is.
CLI::Validator OneOf(const std::vector<NamedItem>& items, const std::string& what) {
  return CLI::Validator(
      [&items, what](std::string& value) -> std::string {
        for (const NamedItem& item : items) {
          if (item.name == value) return "";
        }
        return fmt::format("unknown {} '{}': expected one of {}", what, value, NamesOf(items));
      },
      "", what);
}

}  // namespace

void JsonOption::AddTo(CLI::App* app) {
  app->add_option_function<std::vector<std::string>>(
         "--json",
         [this](const std::vector<std::string>& values) {
           wanted = true;
           if (!values.empty()) file = values.front();
         },
         "JSON to FILE, or to stdout in place of the table")
      ->expected(0, 1)
      ->type_name("[FILE]");
}

void JsonOption::Write(const Json& json) const {
  const std::string text = json.dump(2) + "\n";
  if (file.empty()) {
    fmt::print("{}", text);
  } else {
    WriteFileAtomically(file, text);
  }
}

void CommonOptions::AddTo(CLI::App* app, bool many_machines) {
  static const std::vector<NamedItem> kSizes = {{"test", ""}, {"medium", ""}, {"paper", ""}};
  app->add_option("--size", size, "test: quick; medium: fills a machine; paper: the papers'")
      ->check(OneOf(kSizes, "size"))
      ->type_name("test|medium|paper")
      ->capture_default_str();
  app->add_option("--machine", machine,
                  many_machines ? "Names ('flagstone list machines') or TOML files"
                                : "A name ('flagstone list machines') or a TOML file")
      ->type_name(many_machines ? "M[,M...]" : "M")
      ->capture_default_str();
  app->add_option("--set", settings, "Change one value of the machine; may be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  app->add_option("--input", inputs,
                  "A file for an input or buffer of the workload; may be given again")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  app->add_option("--seed", seed, "Seed of the graph partitioner")
      ->type_name("N")
      ->capture_default_str();
  json.AddTo(app);
  app->add_flag("-q,--quiet", quiet, "No progress and no notes on stderr");
  app->add_flag("-v,--verbose", verbose, "More about what is being done, on stderr");
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

void AddEngine(CLI::App* app, Engine* engine) {
  static const std::map<std::string, Engine> kEngines = {
      {"rtl", Engine::kRtl}, {"model", Engine::kModel}, {"lockstep", Engine::kLockstep}};
  app->add_option_function<std::string>(
         "--engine",
         [engine](const std::string& name) {
           const auto found = kEngines.find(name);
           if (found == kEngines.end()) {
             throw CLI::ValidationError(fmt::format(
                 "--engine: unknown engine '{}': expected one of rtl, model, lockstep", name));
           }
           *engine = found->second;
         },
         "Hardware blocks: RTL, C++ models, or both compared")
      ->type_name("rtl|model|lockstep")
      ->default_str("rtl");
}

void AddValues(CLI::App* app, Values* values, bool* skip_checks) {
  app->add_option_function<std::string>(
         "--values",
         [values](const std::string& name) {
           if (name != "full" && name != "slice") {
             throw CLI::ValidationError(
                 fmt::format("--values: unknown values '{}': expected full or slice", name));
           }
           *values = name == "slice" ? Values::kSlice : Values::kFull;
         },
         "Compute all values, or only what addresses, predicates\n"
         "and control need (same timing)")
      ->type_name("full|slice")
      ->default_str("full");
  app->add_flag("--no-check", *skip_checks, "Do not compare the results with their references");
}

void AddWarpScheduler(CLI::App* app, std::string* scheduler) {
  app->add_option("--warp-scheduler", *scheduler, "Warp scheduler (default: the machine's)")
      ->check(OneOf(WarpSchedulers(), "warp scheduler"))
      ->type_name("S");
}

void AddPrefetcher(CLI::App* app, std::string* prefetcher) {
  app->add_option("--prefetch", *prefetcher, "Prefetcher (default: the machine's)")
      ->check(OneOf(Prefetchers(), "prefetcher"))
      ->type_name("P");
}

void AddData(CLI::App* app, bool* known) {
  static const std::vector<NamedItem> kItems = {{"static", ""}, {"known", ""}};
  app->add_option_function<std::string>(
         "--data", [known](const std::string& value) { *known = value == "known"; },
         "Loads whose addresses depend on data: left out, or\n"
         "found by executing")
      ->check(OneOf(kItems, "data"))
      ->type_name("static|known")
      ->default_str("static");
}

const std::vector<NamedItem>& WarpSchedulers() {
  static const std::vector<NamedItem> kItems = [] {
    std::vector<NamedItem> items;
    for (const WarpSchedulerName& scheduler : kWarpSchedulers) {
      items.push_back({std::string(scheduler.name), std::string(scheduler.summary)});
    }
    return items;
  }();
  return kItems;
}

const std::vector<NamedItem>& Prefetchers() {
  static const std::vector<NamedItem> kItems = [] {
    std::vector<NamedItem> items;
    for (const PrefetcherName& prefetcher : kPrefetchers) {
      items.push_back({std::string(prefetcher.name), std::string(prefetcher.summary)});
    }
    return items;
  }();
  return kItems;
}

std::vector<std::string> SplitList(const std::string& list, const std::string& option) {
  std::vector<std::string> items;
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) ThrowBadInput("{}: an empty item in '{}'", option, list);
    items.push_back(list.substr(begin, end - begin));
    if (end == list.size()) return items;
    begin = end + 1;
  }
}

void SetCommandLine(int argc, char** argv) {
  command_line = "flagstone";
  for (int i = 1; i < argc; ++i) command_line += std::string(" ") + argv[i];
}

const std::string& CommandLine() { return command_line; }

}  // namespace flagstone
