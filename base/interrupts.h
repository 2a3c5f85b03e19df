// Ctrl-C (SIGINT) and SIGTERM: a stage that has something to show when it is stopped ends early by
// itself, every other one ends the program at once.
#ifndef FLAGSTONE_BASE_INTERRUPTS_H_
#define FLAGSTONE_BASE_INTERRUPTS_H_

#include <atomic>

namespace flagstone {

// From now on a signal ends the program with one line, exit code 130 and no temporary file left
// (base/file.h), unless a StopsEarly lives. A second signal always does.
void CatchInterrupts();

// Set by the first signal.
const std::atomic<bool>* Interrupted();

// While one lives, the first signal only sets Interrupted(): who makes one polls that.
class StopsEarly {
 public:
  StopsEarly();
  ~StopsEarly();
  StopsEarly(const StopsEarly&) = delete;
  StopsEarly& operator=(const StopsEarly&) = delete;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_INTERRUPTS_H_
