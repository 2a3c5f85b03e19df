// Progress on stderr for runs that take more than two seconds: a bar on a terminal, nothing when
// piped or quiet.
#ifndef FLAGSTONE_APP_CLI_TERMINAL_H_
#define FLAGSTONE_APP_CLI_TERMINAL_H_

#include <chrono>
#include <string>

#include "app/flow/run/run_options.h"
#include "base/interrupts.h"

namespace flagstone {

// True for a terminal that wants styles: NO_COLOR is honoured.
bool StylesWanted(int file_descriptor);

// "launch 2/5, 12/64 TBs, cycle 1,200,000, 85 kcycles/s"; without a rate where none is known yet.
std::string Describe(const Progress& progress, double cycles_per_second);
// What is done of the run, 0 to 1: of all launches where their number is known.
double ShareDone(const Progress& progress);

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
  // The first report of the launch that runs: rates count from there.
  Progress first_;
  std::chrono::steady_clock::time_point first_time_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_TERMINAL_H_
