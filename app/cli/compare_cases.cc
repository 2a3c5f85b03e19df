#include "app/cli/compare_cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

// "caps", or "caps+pas", "caps++pas+": with a warp scheduler of its own.
struct PrefetchChoice {
  std::string text, prefetcher, warp_scheduler;
};

// Names may end in a plus themselves: of "caps++pas+" it is the longest prefetcher that a plus or
// nothing follows. Where there is none, up to the first plus.
size_t EndOfPrefetcher(const std::string& text) {
  size_t end = 0;
  for (const NamedItem& item : Prefetchers()) {
    const size_t size = item.name.size();
    const bool ends = size == text.size() || (size < text.size() && text[size] == '+');
    if (ends && text.starts_with(item.name)) end = std::max(end, size);
  }
  return end != 0 ? end : std::min(text.find('+'), text.size());
}

// The first is `none`, which the others are compared with.
std::vector<PrefetchChoice> PrefetchChoices(const std::string& list) {
  if (list.empty()) return {{}};
  std::vector<PrefetchChoice> choices = {{"none", "none", ""}};
  const auto check = [](const std::string& name, const std::vector<NamedItem>& known,
                        const char* what) {
    std::string names;
    for (const NamedItem& item : known) {
      if (item.name == name) return;
      names += (names.empty() ? "" : ", ") + item.name;
    }
    ThrowBadInput("--prefetch: unknown {} '{}': expected one of {}", what, name, names);
  };
  for (const std::string& text : SplitList(list, "--prefetch")) {
    const size_t plus = EndOfPrefetcher(text);
    PrefetchChoice choice{text, text.substr(0, plus), ""};
    check(choice.prefetcher, Prefetchers(), "prefetcher");
    if (plus != text.size()) {
      choice.warp_scheduler = text.substr(plus + 1);
      check(choice.warp_scheduler, WarpSchedulers(), "warp scheduler");
    }
    if (text != "none") choices.push_back(choice);
  }
  return choices;
}

// `all` stands for every workload that has a name.
std::vector<std::string> Expanded(const std::vector<std::string>& workloads) {
  std::vector<std::string> names;
  for (const std::string& workload : workloads) {
    if (workload != "all") {
      names.push_back(workload);
      continue;
    }
    const std::vector<std::string> known = ListWorkloads();
    names.insert(names.end(), known.begin(), known.end());
  }
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) {
    files.push_back(FindWorkload(name));
    const auto is_it = [&](const auto& file) { return AreOneFile(file, files.back()); };
    const auto first = std::find_if(files.begin(), files.end() - 1, is_it);
    if (first == files.end() - 1) continue;
    const std::string& other = names[static_cast<size_t>(first - files.begin())];
    ThrowBadInput("workload '{}' is given twice{}: expected it once ('all' has all names)", name,
                  name == other ? "" : fmt::format(", as '{}' too", other));
  }
  return names;
}

}  // namespace

std::vector<Case> MakeCases(const CompareOptions& options) {
  RunOptions common = options.common.run;
  common.files = options.common.Files();
  std::vector<std::string> policies;
  size_t baseline = 0;
  for (const Policy* policy : FindPolicies(options.policies)) {
    if (policy->name == "lrr") baseline = policies.size();
    policies.emplace_back(policy->name);
  }
  std::vector<MachineConfig> machines;
  for (const std::string& name : SplitList(options.common.machine, "--machine")) {
    machines.push_back(options.common.LoadMachine(name));
    for (size_t i = 0; i + 1 < machines.size(); ++i) {
      if (machines[i].name != machines.back().name) continue;
      ThrowBadInput("--machine: two of them are named '{}': expected different names",
                    machines[i].name);
    }
  }
  const std::vector<PrefetchChoice> prefetch = PrefetchChoices(options.prefetchers);
  std::vector<Case> cases;
  for (const std::string& workload : Expanded(options.workloads)) {
    // Bad input is found before the first simulation starts.
    RefuseTwoMeanings(workload);
    Workload::Load(FindWorkload(workload), common.size);
    for (const MachineConfig& machine : machines) {
      const size_t first = cases.size();
      for (const std::string& policy : policies) {
        const size_t without_prefetch = cases.size();
        for (const PrefetchChoice& choice : prefetch) {
          Case c;
          c.options = common;
          c.options.workload = workload;
          c.options.machine = machine;
          c.options.policy = policy;
          ChooseBlocks(choice.warp_scheduler, choice.prefetcher, &c.options.machine);
          c.baseline = first + baseline * prefetch.size();
          c.without_prefetch = without_prefetch;
          c.prefetch = choice.text;
          cases.push_back(std::move(c));
        }
      }
    }
  }
  return cases;
}

}  // namespace flagstone
