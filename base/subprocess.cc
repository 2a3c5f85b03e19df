#include "base/subprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

extern char** environ;

namespace flagstone {
namespace {

bool IsExecutable(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// The actions that a child takes between fork and exec, released at scope end.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::string ReadToEnd(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<size_t>(got));
  }
}

}  // namespace

std::optional<std::filesystem::path> FindProgram(std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    if (IsExecutable(name)) return std::filesystem::path(name);
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    const auto candidate = std::filesystem::path(folder) / name;
    if (!folder.empty() && IsExecutable(candidate)) return candidate;
  }
  return std::nullopt;
}

ProcessResult RunProcess(const std::vector<std::string>& arguments,
                         const std::filesystem::path& folder) {
  // Tools say little, or nothing of use, where they cannot make a file there.
  if (const char* const place = std::getenv("TMPDIR"); place != nullptr && *place != '\0') {
    std::error_code error;
    if (!std::filesystem::is_directory(place, error) || access(place, W_OK | X_OK) != 0) {
      ThrowBadInput("TMPDIR is '{}': expected a folder in which files can be written, for '{}'",
                    place, arguments[0]);
    }
  }
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    ThrowInternal("cannot run '{}': {}", arguments[0], std::strerror(errno));
  }
  SpawnActions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(actions.get(), ends[1], STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    ThrowInternal("cannot run '{}': {}", arguments[0], std::strerror(error));
  }
  ProcessResult result;
  result.output = ReadToEnd(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

std::string TellingLine(std::string_view output, std::string_view mark) {
  std::string_view last;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output = end == std::string_view::npos ? std::string_view() : output.substr(end + 1);
    if (line.find(mark) != std::string_view::npos) return std::string(line);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) last = line;
  }
  return std::string(last);
}

}  // namespace flagstone
