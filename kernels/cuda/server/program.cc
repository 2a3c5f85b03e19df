#include "kernels/cuda/server/program.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "app/flow/run/run_head.h"
#include "app/policy/policies.h"
#include "base/error.h"
#include "base/interrupts.h"
#include "base/stopwatch.h"
#include "kernels/cuda/server/child.h"
#include "kernels/cuda/server/device.h"
#include "kernels/cuda/server/output_watch.h"
#include "kernels/cuda/server/socket.h"

namespace flagstone::cuda {
namespace {

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
    const std::lock_guard<std::mutex> lock(mutex_);
    connection_ = file;
    ++connections_;
    stop_ = Interrupted()->load();
  }

 private:
  void Watch() {
    while (!done_) {
      pollfd files[2] = {{child_, POLLIN, 0}, {-1, POLLRDHUP, 0}};
      uint64_t watched = 0;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        files[1].fd = connection_;
        watched = connections_;
      }
      poll(files, 2, 100);
      bool gone = false;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        // What has hung up may be the program before, whose number the next one may even have: its
        // end must not stop the next one's launches.
        gone = files[0].revents != 0 || *Interrupted() ||
               (files[1].revents != 0 && watched == connections_);
        if (gone) stop_ = true;
      }
      if (gone) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  int child_;
  std::mutex mutex_;  // guards the two below, and who sets `stop_`
  int connection_ = -1;
  uint64_t connections_ = 0;  // so far, and their ends
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
      // A program that has ended goes before the next one comes: both may be seen by one poll.
      if ((files[2].revents & (POLLIN | POLLHUP)) != 0) {
        if (!Answer()) Close(watcher);
        continue;
      }
      if ((files[1].revents & POLLIN) != 0) Accept(listener, watcher);
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
  Child child(options.command, listener, output.file());
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
