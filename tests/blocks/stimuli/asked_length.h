// How long a test goes on whose length is not its own affair: FLAGSTONE_LOCKSTEP_CYCLES=N, or
// FLAGSTONE_LOCKSTEP_SECONDS=N of wall-clock time. Without either it is skipped.
#ifndef FLAGSTONE_TESTS_BLOCKS_STIMULI_ASKED_LENGTH_H_
#define FLAGSTONE_TESTS_BLOCKS_STIMULI_ASKED_LENGTH_H_

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace flagstone {

class AskedLength {
 public:
  bool none() const { return cycles_ == 0 && seconds_ == 0; }
  // Whether `cycles` are enough, or the time since construction is.
  bool Reached(uint64_t cycles) const {
    if (cycles_ != 0) return cycles >= cycles_;
    return std::chrono::steady_clock::now() - begin_ >= std::chrono::seconds(seconds_);
  }

 private:
  static uint64_t Read(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::stoull(text);
  }
  uint64_t cycles_ = Read("FLAGSTONE_LOCKSTEP_CYCLES");
  uint64_t seconds_ = Read("FLAGSTONE_LOCKSTEP_SECONDS");
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_STIMULI_ASKED_LENGTH_H_
