// From what `--policy` takes to a policy: its name, its parameters, and whether it fits a machine.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/policy/policies.h"
#include "base/error.h"

namespace flagstone {
namespace {

// The value that `text` gives to `parameter`: one of its words, or a number.
std::optional<uint32_t> ValueIn(const PolicyParameter& parameter, std::string_view text) {
  const auto word = std::find(parameter.words.begin(), parameter.words.end(), text);
  if (word != parameter.words.end()) return static_cast<uint32_t>(word - parameter.words.begin());
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc{} && end == text.data() + text.size() &&
                    value >= parameter.low && value <= parameter.high;
  return good ? std::optional(value) : std::nullopt;
}

std::string Expected(const Policy& policy, const PolicyParameter& parameter) {
  const std::string words =
      parameter.words.empty() ? "" : fmt::format(", or {}", fmt::join(parameter.words, ", "));
  return fmt::format("{}:{}=N, N from {} to {}{}", policy.name, parameter.name, parameter.low,
                     parameter.high, words);
}

// Gives the policy the value of "rows=4", one of the settings that `asked` ends with.
void Set(std::string_view asked, std::string_view setting, Policy* policy) {
  const size_t equals = std::min(setting.find('='), setting.size());
  std::string expected;
  for (PolicyParameter& parameter : policy->parameters) {
    if (setting.substr(0, equals) == parameter.name) {
      const auto value = ValueIn(parameter, setting.substr(std::min(equals + 1, setting.size())));
      if (!value) ThrowBadInput("policy '{}': expected {}", asked, Expected(*policy, parameter));
      parameter.value = *value;
      return;
    }
    expected += fmt::format("{}{}", expected.empty() ? "" : "; ", Expected(*policy, parameter));
  }
  if (expected.empty()) {
    ThrowBadInput("policy '{}' has no parameter, so ':{}' says nothing", policy->name, setting);
  }
  ThrowBadInput("policy '{}': expected {}", asked, expected);
}

// "rb:steal=never:order=ids" as a policy of its own.
Policy WithParameters(const Policy& policy, std::string_view asked) {
  Policy result = policy;
  std::string_view settings = asked.substr(policy.name.size());
  std::set<std::string_view> given;
  while (!settings.empty()) {
    settings.remove_prefix(1);  // the colon
    const size_t end = std::min(settings.find(':'), settings.size());
    const std::string_view parameter = settings.substr(0, std::min(settings.find('='), end));
    if (!given.insert(parameter).second) {
      ThrowBadInput("policy '{}': parameter '{}' is given twice: expected it once", asked,
                    parameter);
    }
    Set(asked, settings.substr(0, end), &result);
    settings.remove_prefix(end);
  }
  return result;
}

}  // namespace

void RequireFits(const Policy& policy, const MachineConfig& machine) {
  const uint32_t nodes = machine.numa.Nodes();
  if ((policy.plan != nullptr) != (nodes > 1)) {
    std::string fitting;
    for (const Policy& other : Policies()) {
      if ((other.plan != nullptr) != (nodes > 1)) continue;
      if (!fitting.empty()) fitting += ' ';
      fitting += other.name;
    }
    ThrowBadInput("policy '{}' on machine {} of {} node{}: expected one of: {}", policy.name,
                  machine.name, nodes, nodes == 1 ? "" : "s", fitting);
  }
  if (policy.name == "coda" && machine.numa.gpus > 1 && machine.numa.chiplets > 1) {
    ThrowBadInput("policy 'coda' on machine {} of {} GPUs of {} chiplets: expected h-coda",
                  machine.name, machine.numa.gpus, machine.numa.chiplets);
  }
}

std::string_view DefaultPolicy(const MachineConfig& machine) {
  return machine.numa.Nodes() > 1 ? "rr-node" : "lrr";
}

std::string_view FileOfPolicy(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {};
  for (const Policy& policy : Policies()) {
    if (policy.name == name.substr(0, colon) && policy.takes_file) return name.substr(colon + 1);
  }
  return {};
}

std::string PolicyBeside(std::string_view name, const std::filesystem::path& folder) {
  const std::string_view file = FileOfPolicy(name);
  if (file.empty()) return std::string(name);
  return std::string(name.substr(0, name.size() - file.size())) + (folder / file).string();
}

bool AreAlike(const Policy& a, const Policy& b) {
  const auto base = [](const Policy& policy) {
    return policy.name.substr(0, policy.name.find(':'));
  };
  return base(a) == base(b) && a.file == b.file &&
         std::equal(
             a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
             [](const PolicyParameter& x, const PolicyParameter& y) { return x.value == y.value; });
}

const Policy& FindPolicy(std::string_view name) {
  // What was asked for with a parameter; a map's elements stay where they are.
  static std::map<std::string, Policy, std::less<>> with_parameters;
  const std::string_view base = name.substr(0, name.find(':'));
  std::string known;
  for (const Policy& policy : Policies()) {
    if (policy.name == name) return policy;
    if (policy.name == base && policy.takes_file) {
      const auto [it, added] = with_parameters.try_emplace(std::string(name), policy);
      it->second.name = it->first;
      it->second.file = FileOfPolicy(it->first);
      return it->second;
    }
    if (policy.name == base) {
      const auto [it, added] =
          with_parameters.try_emplace(std::string(name), WithParameters(policy, name));
      it->second.name = it->first;
      return it->second;
    }
    if (!known.empty()) known += ' ';
    known += policy.name;
  }
  ThrowBadInput("policy '{}' is unknown, expected one of: {}", name, known);
}

}  // namespace flagstone
