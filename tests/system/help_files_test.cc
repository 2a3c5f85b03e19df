// Manual pages and shell completions, made from --help.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace help_files_test {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(HelpFiles, HoldEveryVerbAndEveryOption) {
  const ScratchFolder scratch;
  ASSERT_EQ(RunShell(fmt::format("tools/from_help '{}' '{}'", FlagstoneProgram(),
                                 scratch.path().string()))
                .exit_code,
            0);
  const std::string bash = ReadFile(scratch.File("bash/flagstone"));
  const std::string zsh = ReadFile(scratch.File("zsh/_flagstone"));
  const std::string fish = ReadFile(scratch.File("fish/flagstone.fish"));
  std::istringstream help(RunFlagstone("--help").out);
  size_t verbs = 0;
  for (std::string line; std::getline(help, line) && line != "Subcommands:";) {
  }
  for (std::string line; std::getline(help, line) && !line.empty(); ++verbs) {
    std::string verb;
    std::istringstream(line) >> verb;
    const std::string page = ReadFile(scratch.File(fmt::format("man/man1/flagstone-{}.1", verb)));
    EXPECT_THAT(fish, HasSubstr(fmt::format(" -a {} -d ", verb)));
    EXPECT_THAT(zsh, HasSubstr(fmt::format("    {})\n", verb)));
    std::istringstream options(RunFlagstone(verb + " --help").out);
    for (std::string option; std::getline(options, option) && option != "Options:";) {
    }
    for (std::string option; std::getline(options, option) && !option.empty();) {
      const size_t at = option.find("--");
      if (!option.starts_with("  -") || at == std::string::npos) continue;
      const std::string name = option.substr(at, option.find(' ', at) - at);
      std::string in_roff;
      for (const char c : name) in_roff += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_THAT(page, HasSubstr(in_roff)) << verb;
      EXPECT_THAT(bash, ContainsRegex(name + "[ \"]")) << verb;
      EXPECT_THAT(zsh, HasSubstr(name + "[")) << verb;
      EXPECT_THAT(fish, HasSubstr(fmt::format(
                            "from {}' {}-l {} ", verb,
                            option.starts_with("  --") ? "" : "-s " + option.substr(3, 1) + " ",
                            name.substr(2))))
          << verb;
    }
  }
  EXPECT_GE(verbs, 13U);
}

// What bash offers for the last of the words.
std::string Completed(const std::string& script, const std::string& words) {
  return RunShell(fmt::format("bash -c 'source {}; COMP_WORDS=({} {}); "
                              "COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _flagstone; "
                              "echo ${{COMPREPLY[*]}}'",
                              script, FlagstoneProgram(), words))
      .out;
}

TEST(HelpFiles, BashCompletesVerbsOptionsAndNames) {
  const ScratchFolder scratch;
  ASSERT_EQ(RunShell(fmt::format("tools/from_help '{}' '{}'", FlagstoneProgram(),
                                 scratch.path().string()))
                .exit_code,
            0);
  const std::string script = scratch.File("bash/flagstone");
  const std::pair<const char*, const char*> kWords[] = {
      {"ru", "run"},
      {"run --pol", "--policy"},
      {"run --policy lrr,hil", "lrr,hilbert"},
      {"run --machine fermi_", "fermi_48k"},
      {"run vecadd --size pa", "paper"},
      {"run laplac", "laplace3d"},
      {"reproduce peer-eff", "peer-effects"},
      {"synth fif", "fifo"},
      {"sweep col", "collect"},
      {"store ver", "verify"},
      {"list stat", "statistics"},
      {"analyze --dump im", "image"},
      {"run --json READ", "README.md"},
  };
  for (const auto& [words, expected] : kWords) {
    EXPECT_EQ(Completed(script, words), std::string(expected) + "\n") << words;
  }
}

// Where groff and the shells are there, they find no fault in them.
TEST(HelpFiles, AreReadByThoseWhomTheyAreFor) {
  const ScratchFolder scratch;
  const CommandResult result = RunShell(fmt::format(
      "tools/from_help '{0}' '{1}' && cd '{1}' && "
      "if command -v groff >/dev/null; then groff -man -ww -z -Tutf8 man/man1/*.1; fi && "
      "if command -v mandoc >/dev/null; then mandoc -Tlint -W error man/man1/*.1; fi && "
      "bash -n bash/flagstone && if command -v zsh >/dev/null; then zsh -n zsh/_flagstone; fi && "
      "if command -v fish >/dev/null; then fish -n fish/flagstone.fish; fi",
      FlagstoneProgram(), scratch.path().string()));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace help_files_test
}  // namespace flagstone
