// A difference between a golden model and its RTL, and the wave that shows how it came about.
#ifndef FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_MISMATCH_H_
#define FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_MISMATCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/error.h"
#include "systemc/cosim/engine.h"

namespace flagstone {

// How much of the block's life before a difference its wave holds, in cycles.
inline constexpr uint64_t kLockstepWaveCycles = 200;

class LockstepMismatch : public Error {
 public:
  LockstepMismatch(uint64_t cycle, std::string path, const std::string& message)
      : Error(ErrorKind::kRunFailed, message), cycle_(cycle), path_(std::move(path)) {}
  uint64_t cycle() const { return cycle_; }
  const std::string& path() const { return path_; }  // of the block

 private:
  uint64_t cycle_;
  std::string path_;
};

// Of that block, the window of so many cycles that ends with the one of the difference.
WaveRequest WaveOfMismatch(const LockstepMismatch& mismatch, const std::string& file,
                           uint64_t cycles = kLockstepWaveCycles);

// Repeats the run that failed: `rerun` runs it again from its beginning, on the same input, with
// the wave request it is given. Throws the mismatch anew, naming the file; throws kInternal when
// the run does not fail in the same way, since then it is not deterministic.
[[noreturn]] void RethrowWithWave(const LockstepMismatch& mismatch, const std::string& file,
                                  const std::function<void(const WaveRequest&)>& rerun,
                                  uint64_t cycles = kLockstepWaveCycles);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_MISMATCH_H_
