#include "tests/system/command.h"

#include <fmt/core.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "base/file.h"

namespace flagstone {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "flagstone-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string FlagstoneProgram() { return FLAGSTONE_PROGRAM; }

CommandResult RunShell(const std::string& command) {
  const ScratchFolder scratch;
  const std::string redirected = fmt::format("( {} ) >'{}' 2>'{}' </dev/null", command,
                                             scratch.File("out"), scratch.File("err"));
  const int status = std::system(redirected.c_str());
  CommandResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadFile(scratch.File("out"));
  result.err = ReadFile(scratch.File("err"));
  return result;
}

CommandResult RunFlagstone(const std::string& arguments) {
  return RunShell(fmt::format("'{}' {}", FlagstoneProgram(), arguments));
}

}  // namespace flagstone
