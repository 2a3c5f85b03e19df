// Runs the built command as a user would: arguments in, exit code and both streams out.
#ifndef FLAGSTONE_TESTS_SYSTEM_COMMAND_H_
#define FLAGSTONE_TESTS_SYSTEM_COMMAND_H_

#include <filesystem>
#include <string>

namespace flagstone {

struct CommandResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// `arguments` as typed in a shell, after the program's name.
CommandResult RunFlagstone(const std::string& arguments);
// Any shell command.
CommandResult RunShell(const std::string& command);
// The path of the command under test.
std::string FlagstoneProgram();

// A folder that is empty at first and removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::filesystem::path path() const { return path_; }
  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_SYSTEM_COMMAND_H_
