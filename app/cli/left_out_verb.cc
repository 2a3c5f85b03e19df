#include "app/cli/left_out_verb.h"

#include <fmt/core.h>

#include "base/error.h"

namespace flagstone {

std::string LeftOutMessage(const std::string& what, const std::string& option) {
  return fmt::format("{} is no part of this build: configure it with -D{}=ON", what, option);
}

void AddLeftOutVerb(CommandLineParser* command, const std::string& name,
                    const std::string& option) {
  Verb* verb = command->AddVerb(name, fmt::format("(left out of this build: {})", option));
  verb->TakeAnything();
  verb->Do([name, option]() -> int {
    ThrowBadInput("{}", LeftOutMessage("flagstone " + name, option));
  });
}

}  // namespace flagstone
