#include "app/flow/run/worker_pool.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/interrupts.h"

namespace flagstone {
namespace {

constexpr int kExitInternal = 3;
constexpr int kExitInterrupted = 130;

struct Worker {
  size_t index = 0;
  pid_t pid = -1;
  int pipe = -1;
  std::string output;
};

// In the child: what the work returned or threw, as one JSON text.
std::string Perform(const std::function<Json(size_t)>& work, size_t index) {
  Json reply;
  try {
    reply["result"] = work(index);
  } catch (const Error& error) {
    reply = {{"exit_code", static_cast<int>(error.kind())}, {"message", error.what()}};
  } catch (const std::bad_alloc&) {
    reply = {{"exit_code", kExitInternal}, {"message", "out of memory"}, {"died", true}};
  } catch (const std::exception& error) {
    reply = {{"exit_code", kExitInternal}, {"message", error.what()}};
  }
  return reply.dump();
}

[[noreturn]] void RunChild(const std::function<Json(size_t)>& work, size_t index, int pipe,
                           pid_t parent) {
  // Killed by SIGKILL, the parent stops nobody: its end does.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitInternal);
  std::signal(SIGINT, SIG_IGN);  // the parent decides, and stops its workers by SIGTERM
  std::signal(SIGTERM, SIG_DFL);
  const std::string text = Perform(work, index);
  for (size_t written = 0; written < text.size();) {
    const ssize_t n = write(pipe, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) _exit(kExitInternal);
    if (n > 0) written += static_cast<size_t>(n);
  }
  // No destructors or atexit handlers: they belong to the parent.
  _exit(0);
}

Worker Start(const std::function<Json(size_t)>& work, size_t index) {
  int ends[2];
  if (pipe(ends) != 0) ThrowInternal("cannot make a pipe: {}", std::strerror(errno));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) ThrowInternal("cannot start a worker process: {}", std::strerror(errno));
  if (pid == 0) {
    close(ends[0]);
    RunChild(work, index, ends[1], parent);
  }
  close(ends[1]);
  return {index, pid, ends[0], ""};
}

WorkerOutcome Collect(const Worker& worker, int status) {
  WorkerOutcome outcome;
  const Json reply = Json::parse(worker.output, nullptr, /*allow_exceptions=*/false);
  if (reply.is_object() && reply.contains("result")) {
    outcome.result = reply["result"];
  } else if (reply.is_object()) {
    outcome.exit_code = reply["exit_code"].get<int>();
    outcome.message = reply["message"].get<std::string>();
    outcome.died = reply.contains("died");
  } else {
    outcome.exit_code = kExitInternal;
    outcome.died = true;
    outcome.message = WIFSIGNALED(status)
                          ? fmt::format("a worker process died of signal {}", WTERMSIG(status))
                          : std::string("a worker process ended without a result");
  }
  return outcome;
}

void Stop(const std::vector<Worker>& workers) {
  for (const Worker& worker : workers) {
    kill(worker.pid, SIGTERM);
    waitpid(worker.pid, nullptr, 0);
    close(worker.pipe);
  }
}

// Reads what has come; true when the worker has closed its pipe.
bool ReadSome(Worker* worker) {
  char buffer[65536];
  const ssize_t n = read(worker->pipe, buffer, sizeof buffer);
  if (n > 0) worker->output.append(buffer, static_cast<size_t>(n));
  return n == 0 || (n < 0 && errno != EINTR);
}

}  // namespace

void StreamWorkers(size_t jobs, const std::function<std::optional<size_t>()>& next,
                   const std::function<Json(size_t)>& work,
                   const std::function<void(size_t index, WorkerOutcome outcome)>& finished) {
  std::vector<Worker> running;
  std::vector<pollfd> polls;
  for (bool more = true;;) {
    while (more && running.size() < jobs) {
      const std::optional<size_t> index = next();
      more = index.has_value();
      if (more) running.push_back(Start(work, *index));
    }
    if (running.empty()) return;
    polls.clear();
    for (const Worker& worker : running) polls.push_back({worker.pipe, POLLIN, 0});
    poll(polls.data(), polls.size(), 200);
    if (*Interrupted()) {
      Stop(running);
      return;
    }
    for (size_t i = running.size(); i-- > 0;) {
      if (polls[i].revents == 0 || !ReadSome(&running[i])) continue;
      int status = 0;
      waitpid(running[i].pid, &status, 0);
      close(running[i].pipe);
      const size_t index = running[i].index;
      WorkerOutcome outcome = Collect(running[i], status);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      finished(index, std::move(outcome));
      more = true;  // what has finished may be given again
    }
  }
}

std::vector<WorkerOutcome> RunWorkers(size_t count, size_t jobs,
                                      const std::function<Json(size_t)>& work,
                                      const std::function<void(size_t done)>& finished) {
  WorkerOutcome not_reached;
  not_reached.exit_code = kExitInterrupted;
  std::vector<WorkerOutcome> outcomes(count, not_reached);
  size_t started = 0;
  size_t done = 0;
  StreamWorkers(
      jobs, [&] { return started < count ? std::optional<size_t>(started++) : std::nullopt; }, work,
      [&](size_t index, WorkerOutcome outcome) {
        outcomes[index] = std::move(outcome);
        finished(++done);
      });
  return outcomes;
}

}  // namespace flagstone
