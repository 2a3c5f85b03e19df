#include "base/interrupts.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "base/file.h"

namespace flagstone {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<int> stages = 0;  // that stop early by themselves
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "used in a signal handler");

// Only what a signal handler may call.
extern "C" void OnInterrupt(int /*signal_number*/) {
  if (!interrupted.exchange(true) && stages > 0) return;
  RemoveTemporaryFiles();
  constexpr std::string_view kMessage = "flagstone: interrupted\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(130);
}

}  // namespace

void CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
}

const std::atomic<bool>* Interrupted() { return &interrupted; }

StopsEarly::StopsEarly() { ++stages; }
StopsEarly::~StopsEarly() { --stages; }

}  // namespace flagstone
