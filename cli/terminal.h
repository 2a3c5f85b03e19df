// Progress on stderr for runs that take more than two seconds: a bar on a terminal, nothing when
// piped or quiet.
#ifndef FLAGSTONE_CLI_TERMINAL_H_
#define FLAGSTONE_CLI_TERMINAL_H_

#include <atomic>
#include <chrono>
#include <string>

#include "systemc/simulation.h"

namespace flagstone {

// True for a terminal that wants styles: NO_COLOR is honoured.
bool StylesWanted(int file_descriptor);

// Set by Ctrl-C (SIGINT) and SIGTERM; a second Ctrl-C ends the program at once.
const std::atomic<bool>* Interrupted();
void CatchInterrupts();

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();  // clears the line
  void Show(const std::string& label, const Progress& progress);
  // "label: done of total", for work that is counted in whole parts.
  void Show(const std::string& label, uint64_t done, uint64_t total);
  void Clear();

 private:
  void Draw(const std::string& label, double share, const std::string& detail);

  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_CLI_TERMINAL_H_
