// Wall-clock laps, for figures under `host`: never for results.
#ifndef FLAGSTONE_BASE_STOPWATCH_H_
#define FLAGSTONE_BASE_STOPWATCH_H_

#include <chrono>

namespace flagstone {

class Stopwatch {
 public:
  // Seconds since construction or the last lap.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_STOPWATCH_H_
