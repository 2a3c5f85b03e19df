#include "app/cli/suggest.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/spelling.h"

namespace flagstone {
namespace {

std::vector<std::string> OptionsOf(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string DescribeExtras(const CLI::App& verb) {
  const std::vector<std::string> extras = verb.remaining();
  const std::string& name = verb.get_name();
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& extra) { return extra.starts_with("-"); });
  if (option != extras.end()) {
    const std::string word = option->substr(0, option->find('='));
    const std::string nearest = Nearest(word, OptionsOf(verb));
    return fmt::format("'{}' has no option '{}'{}", name, word,
                       nearest.empty() ? "" : fmt::format(": did you mean '{}'?", nearest));
  }
  return fmt::format("'{}' takes no further argument: found '{}'", name, extras.front());
}

}  // namespace flagstone
