// Runs another program (Yosys, Verilator, a compiler) and collects what it says.
#ifndef FLAGSTONE_BASE_SUBPROCESS_H_
#define FLAGSTONE_BASE_SUBPROCESS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

struct ProcessResult {
  int status = 0;      // exit status; 128 + signal when killed by one
  std::string output;  // stdout and stderr together
};

// The program's path by $PATH (or `name` itself when it holds a slash), if it can be executed.
std::optional<std::filesystem::path> FindProgram(std::string_view name);

// Runs arguments[0] (a path or a name on $PATH) in `folder` (empty: here), stdin empty, and waits.
// No shell is involved. Throws kInternal when the program cannot be started, and kBadInput where
// $TMPDIR, which most tools use, is no folder.
ProcessResult RunProcess(const std::vector<std::string>& arguments,
                         const std::filesystem::path& folder = {});

// The first line of `output` that holds `mark`, else its last line that is not empty: what a
// one-line error quotes of a tool's log.
std::string TellingLine(std::string_view output, std::string_view mark);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_SUBPROCESS_H_
