#include "cuda/server/program.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupts.h"
#include "base/stopwatch.h"
#include "base/subprocess.h"
#include "cuda/server/device.h"
#include "cuda/server/output_watch.h"
#include "cuda/server/program_file.h"
#include "cuda/server/socket.h"
#include "flow/run_head.h"
#include "policy/policies.h"

namespace flagstone::cuda {
namespace {

constexpr int kGrace = 2000;  // ms that a program has to end by itself after SIGTERM

// A running program. It is ended, if need be, when this goes.
class Child {
 public:
  Child(const ProgramOptions& options, const Listener& listener, int output) {
    const std::filesystem::path kit = Toolkit();
    const std::string& name = options.command.front();
    const auto path = FindProgram(name);
    if (!path) {
      ThrowBadInput("cannot run '{}': expected a program's path, or its name on $PATH{}", name,
                    std::filesystem::exists(name) ? " (for one in this folder: ./" + name + ")"
                                                  : std::string());
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
    Start(*path, options.command, environment, output);
  }
  ~Child() {
    if (ended_) return;
    kill(pid_, SIGTERM);
    if (!WaitFor(kGrace)) kill(pid_, SIGKILL);
    Wait();
    close(file_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int file() const { return file_; }  // readable when it has ended
  void Terminate() const { kill(pid_, SIGTERM); }
  bool WaitFor(int milliseconds) const {
    pollfd end = {file_, POLLIN, 0};
    return poll(&end, 1, milliseconds) > 0;
  }
  // Its exit code, 128 + the signal that ended it.
  int Wait() {
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

 private:
  static std::vector<char*> Pointers(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
  }

  void Start(const std::filesystem::path& path, const std::vector<std::string>& arguments,
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

  pid_t pid_ = -1;
  int file_ = -1;
  bool ended_ = false;
  int code_ = 0;
};

// Says while a launch runs that its program has gone, or that the user wants it to stop.
class Watcher {
 public:
  explicit Watcher(int child) : child_(child), thread_([this] { Watch(); }) {}
  ~Watcher() {
    done_ = true;
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  const std::atomic<bool>* stop() const { return &stop_; }
  void Connected(int file) {
    connection_ = file;
    if (file < 0) stop_ = Interrupted()->load();
  }

 private:
  void Watch() {
    while (!done_) {
      pollfd files[2] = {{child_, POLLIN, 0}, {connection_, POLLRDHUP, 0}};
      const bool gone = poll(files, 2, 100) > 0;
      if (gone || *Interrupted()) {
        stop_ = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

  int child_;
  std::atomic<int> connection_ = -1;
  std::atomic<bool> stop_ = false, done_ = false;
  std::thread thread_;
};

// Answers the program's requests until it ends.
class Service {
 public:
  Service(const ProgramOptions& options, const std::string& name, Launches* launches,
          Recorder* recorder, ProgramResult* result)
      : options_(options), name_(name), launches_(launches), recorder_(recorder), result_(result) {}

  void Serve(const Listener& listener, Child* child, Watcher* watcher) {
    bool asked = false;
    while (true) {
      if (*Interrupted() && !asked) {
        child->Terminate();
        asked = true;
      }
      pollfd files[3] = {{child->file(), POLLIN, 0},
                         {listener.file(), POLLIN, 0},
                         {connection_.number(), POLLIN, 0}};
      if (poll(files, 3, 200) < 0 && errno != EINTR) return;
      if ((files[1].revents & POLLIN) != 0) Accept(listener, watcher);
      if ((files[2].revents & (POLLIN | POLLHUP)) != 0) {
        if (!Answer()) Close(watcher);
        continue;
      }
      if ((files[0].revents & POLLIN) != 0) break;
    }
    while (connection_.open() && Answer()) {  // what it has left for us
    }
    Close(watcher);
  }

 private:
  void Accept(const Listener& listener, Watcher* watcher) {
    const int file = listener.Accept();
    if (file < 0) return;
    const bool again = recorder_ != nullptr && result_->connected;
    if (connection_.open() || again) {
      fmt::print(stderr, "flagstone: a second process wants the device: {}\n",
                 again ? "--record takes one process" : "one at a time can have it");
      close(file);
      return;
    }
    connection_.Reset(file);
    device_ = std::make_unique<Device>(name_, launches_, recorder_);
    watcher->Connected(file);
    result_->connected = true;
  }
  bool Answer() {
    Request request;
    if (!Receive(connection_.number(), &request, &payload_)) return false;
    if (request.op == Op::kHello && request.a != kProtocolVersion) {
      fmt::print(stderr, "flagstone: the program's client library is of another version\n");
      return false;
    }
    if (request.op == Op::kLaunch && launches_->count() == 0) {
      result_->start_seconds = since_start_.Lap();
    }
    const Device::Answer answer = device_->Do(request, payload_);
    const bool hello = request.op == Op::kHello;
    return Send(connection_.number(), answer.reply, answer.payload,
                hello ? device_->memory_file() : -1);
  }
  void Close(Watcher* watcher) {
    watcher->Connected(-1);
    if (device_ != nullptr) result_->host_seconds += device_->host_seconds();
    connection_.Reset();
    device_.reset();
  }

  const ProgramOptions& options_;
  std::string name_;
  Launches* launches_;
  Recorder* recorder_;
  ProgramResult* result_;
  File connection_;
  std::unique_ptr<Device> device_;
  std::string payload_;
  Stopwatch since_start_;
};

}  // namespace

ProgramResult RunProgram(const ProgramOptions& options) {
  const HostUse host;
  const Policy& policy = FindPolicy(options.run.policy);
  if (!options.run.functional) RequireFits(policy, options.run.machine);
  if (options.run.machine.numa.Nodes() > 1) {
    ThrowBadInput(
        "exec runs programs on one node: machine '{}' has {}; record the program, and run "
        "the recording's launches there",
        options.run.machine.name, options.run.machine.numa.Nodes());
  }
  const std::string name = std::filesystem::path(options.command.front()).filename().string();
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) {
    recorder = std::make_unique<Recorder>(options.record, name, options.command_line);
  }
  ProgramResult result;
  const StopsEarly stops;
  const Listener listener;
  OutputWatch output(options.expect);
  Child child(options, listener, output.file());
  output.Start();
  Watcher watcher(child.file());
  RunOptions run = options.run;
  run.interrupted = watcher.stop();
  Launches launches(run, options.selection, options.keep_all, name);
  Service(options, name, &launches, recorder.get(), &result).Serve(listener, &child, &watcher);
  result.exit_code = child.Wait();
  result.matched = output.Finish();
  result.launches = launches.count();
  result.failed = launches.failed();
  result.kernels = launches.kernels();
  host.Put(options.run, &launches.record());
  result.record = std::move(launches.record());
  result.record.interrupted = *Interrupted();
  if (recorder != nullptr) result.recorded = recorder->Finish();
  return result;
}

}  // namespace flagstone::cuda
