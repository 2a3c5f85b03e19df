#include "kernels/cuda/server/child.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "kernels/cuda/server/program_file.h"

namespace flagstone::cuda {
namespace {

constexpr int kGrace = 2000;  // ms that a program has to end by itself after SIGTERM

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const Listener& listener, int output) {
  const std::filesystem::path kit = Toolkit();
  const std::string& name = command.front();
  const auto path = FindProgram(name);
  if (!path) {
    std::error_code error;
    const bool is_path = name.find('/') != std::string::npos;
    const bool is_there = std::filesystem::exists(name, error);
    if (is_path && is_there) {
      ThrowBadInput("cannot run '{}': it is {}: expected a program", name,
                    std::filesystem::is_directory(name, error)
                        ? "a folder"
                        : "a file that may not be executed (chmod +x)");
    }
    ThrowBadInput("cannot run '{}': expected a program's path, or its name on $PATH{}", name,
                  is_there ? " (for one in this folder: ./" + name + ")" : std::string());
  }
  const std::filesystem::path client = ClientFor(ReadProgram(ReadFile(*path)), name, kit);
  std::vector<std::string> environment;
  std::string libraries = (kit / "lib64").string(), preload = client.string();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LD_LIBRARY_PATH=")) {
      libraries += ":" + std::string(text.substr(text.find('=') + 1));
    } else if (text.starts_with("LD_PRELOAD=") && !client.empty()) {
      preload += ":" + std::string(text.substr(text.find('=') + 1));
    } else {
      environment.emplace_back(text);
    }
  }
  environment.push_back("LD_LIBRARY_PATH=" + libraries);
  if (!client.empty()) environment.push_back("LD_PRELOAD=" + preload);
  environment.push_back(fmt::format("{}={}", kSocketVariable, listener.name()));
  Start(*path, command, environment, output);
}

Child::~Child() {
  if (ended_) return;
  kill(pid_, SIGTERM);
  if (!WaitFor(kGrace)) kill(pid_, SIGKILL);
  Wait();
  close(file_);
}

void Child::Terminate() const { kill(pid_, SIGTERM); }

bool Child::WaitFor(int milliseconds) const {
  pollfd end = {file_, POLLIN, 0};
  return poll(&end, 1, milliseconds) > 0;
}

int Child::Wait() {
  int status = 0;
  while (!ended_ && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended_) code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (!ended_ && WIFSIGNALED(status)) {
    fmt::print(stderr, "flagstone: the program was ended by signal {} ({})\n", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
  }
  ended_ = true;
  return code_;
}

void Child::Start(const std::filesystem::path& path, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment, int output) {
  const std::vector<char*> argv = Pointers(arguments), envp = Pointers(environment);
  const pid_t parent = getpid();
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) ThrowInternal("cannot start '{}': {}", path.string(), std::strerror(errno));
  if (pid_ == 0) {
    // It does not outlive this process.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (output >= 0) dup2(output, STDOUT_FILENO);
    execve(path.c_str(), argv.data(), envp.data());
    // A script without a first line that says by what.
    if (errno == ENOEXEC) {
      std::vector<char*> shell = {const_cast<char*>("/bin/sh"), const_cast<char*>(path.c_str())};
      shell.insert(shell.end(), argv.begin() + 1, argv.end());
      execve("/bin/sh", shell.data(), envp.data());
    }
    fmt::print(stderr, "flagstone: cannot run '{}': {}\n", path.string(), std::strerror(errno));
    std::fflush(stderr);
    _exit(127);
  }
  file_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (file_ < 0) ThrowInternal("cannot wait for the program: {}", std::strerror(errno));
}

}  // namespace flagstone::cuda
