// The `flagstone` command: options and exit codes; each verb is a file of its own.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "base/error.h"
#include "base/huge_pages.h"
#include "base/interrupts.h"

namespace flagstone {
namespace {

constexpr char kDescription[] =
    "Flagstone shows which thread blocks (TBs) of a GPU kernel share data, lets locality-aware\n"
    "scheduling hardware (real RTL) run them, cycle by cycle, and says what that hardware costs.";

constexpr char kFooter[] =
    "Start here:\n"
    "  flagstone list                                    what there is to run, and on what\n"
    "  flagstone analyze matmul --size paper             which TBs share data, and how much\n"
    "  flagstone order matmul --size paper               which TB order takes the least time\n"
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
  line = "flagstone: " + line + "\n";
  std::fputs(line.c_str(), stderr);  // unlike fmt's, no exception where nobody can hear it
  return exit_code;
}

// Where a standard stream is closed, the next file that is opened would be it. What is written to
// stdout then is an error, as on a full disk.
void OpenClosedStreams() {
  constexpr std::pair<int, const char*> kStreams[] = {
      {STDIN_FILENO, "/dev/null"}, {STDOUT_FILENO, "/dev/full"}, {STDERR_FILENO, "/dev/null"}};
  for (const auto& [stream, device] : kStreams) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int file = open(device, stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    if (file >= 0 && file != stream) {
      dup2(file, stream);
      close(file);
    }
  }
}

int Main(int argc, char** argv) {
  OpenClosedStreams();
  PreferHugePages();
  CatchInterrupts();
  SetCommandLine(argc, argv);
  CommandLineParser command("flagstone", kDescription, kFooter);
  command.AddVersion(VersionText);
  AddListVerb(&command);
  AddAnalyzeVerb(&command);
  AddOrderVerb(&command);
  AddRunVerb(&command);
  AddExecVerb(&command);
  AddCompareVerb(&command);
  AddReproduceVerb(&command);
  AddDiffVerb(&command);
  AddReportVerb(&command);
  AddStoreVerb(&command);
  AddSweepVerb(&command);
  AddSynthVerb(&command);
  AddBlockVerb(&command);
  const int exit_code = command.Run(argc, argv);
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
  } catch (const flagstone::Error& error) {
    return Fail(error.what(), static_cast<int>(error.kind()));
  } catch (const std::bad_alloc&) {
    return Fail("out of memory", 3);
  } catch (const std::exception& error) {
    return Fail(std::ferror(stdout) != 0 ? "cannot write to stdout" : error.what(), 3);
  }
}
