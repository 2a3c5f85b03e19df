#include "systemc/cosim/lockstep_mismatch.h"

namespace flagstone {

WaveRequest WaveOfMismatch(const LockstepMismatch& mismatch, const std::string& file,
                           uint64_t cycles) {
  const uint64_t cycle = mismatch.cycle();
  const uint64_t from = cycle + 1 > cycles ? cycle + 1 - cycles : 0;
  return {file, from, cycle, {mismatch.path()}};
}

void RethrowWithWave(const LockstepMismatch& mismatch, const std::string& file,
                     const std::function<void(const WaveRequest&)>& rerun, uint64_t cycles) {
  const WaveRequest wave = WaveOfMismatch(mismatch, file, cycles);
  std::string second = "no difference";
  try {
    rerun(wave);
  } catch (const LockstepMismatch& repeated) {
    second = repeated.what();
  }
  if (second != mismatch.what()) {
    ThrowInternal("a lockstep failure did not repeat: first '{}', then '{}'", mismatch.what(),
                  second);
  }
  throw LockstepMismatch(
      mismatch.cycle(), mismatch.path(),
      fmt::format("{}; wave of cycles {} to {}: {}", mismatch.what(), wave.from, wave.to, file));
}

}  // namespace flagstone
