// The `flagstone` command: options and exit codes; each verb is a file of its own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace flagstone {
namespace {

constexpr char kDescription[] =
    "Flagstone shows which thread blocks (TBs) of a GPU kernel share data, lets locality-aware\n"
    "scheduling hardware (real RTL) run them, cycle by cycle, and says what that hardware costs.";

constexpr char kFooter[] =
    "Start here:\n"
    "  flagstone list                                    what there is to run, and on what\n"
    "  flagstone analyze matmul --size paper             which TBs share data, and how much\n"
    "  flagstone run syrk --size paper --policy rb       one kernel, scheduled by PAVER's RTL\n"
    "  flagstone compare syrk matmul --size paper --policy lrr,rb\n"
    "  flagstone reproduce peer                          published figures beside ours\n"
    "  flagstone synth                                   area, clock and power of each block\n"
    "\n"
    "Exit codes: 0 done and every check passed; 1 a check or a run failed; 2 bad usage or input;\n"
    "3 internal or system error; 130 interrupted.";

int Fail(const char* message, int exit_code) {
  std::string line = message;
  // One line, whatever a library put in its message.
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print(stderr, "flagstone: {}\n", line);
  return exit_code;
}

// CLI11 would only say that a subcommand is required.
void RejectUnknownVerb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + verb->get_name();
  }
  ThrowBadInput("unknown verb '{}': expected one of {}", argv[1], known);
}

int Main(int argc, char** argv) {
  SetCommandLine(argc, argv);
  CLI::App app(kDescription, "flagstone");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help, or a verb's, and exit");
  app.get_formatter()->column_width(34);
  app.add_flag_callback(
      "--version",
      [] {
        fmt::print("{}", VersionText());
        throw CLI::Success();
      },
      "Print the version, its commit and its tools, and exit");
  int exit_code = 0;
  AddListVerb(&app, &exit_code);
  AddAnalyzeVerb(&app, &exit_code);
  AddRunVerb(&app, &exit_code);
  AddCompareVerb(&app, &exit_code);
  AddReproduceVerb(&app, &exit_code);
  AddSynthVerb(&app, &exit_code);
  AddBlockVerb(&app, &exit_code);
  RejectUnknownVerb(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::RequiredError&) {
    if (argc == 1) {
      fmt::print("{}", app.help());
      return 2;
    }
    throw;
  }
  std::fflush(stdout);
  if (std::ferror(stdout) != 0) return Fail("cannot write to stdout", 3);
  return exit_code;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  using flagstone::Fail;
  try {
    return flagstone::Main(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Fail((std::string(error.what()) + " (see 'flagstone --help')").c_str(), 2);
  } catch (const flagstone::Error& error) {
    return Fail(error.what(), static_cast<int>(error.kind()));
  } catch (const std::bad_alloc&) {
    return Fail("out of memory", 3);
  } catch (const std::exception& error) {
    return Fail(error.what(), 3);
  }
}
