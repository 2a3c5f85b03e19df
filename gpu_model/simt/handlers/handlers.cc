#include "gpu_model/simt/handlers/handlers.h"

#include <atomic>

namespace flagstone::simt {

namespace baseline {
const HandlerSet& Table();
}
#ifdef FLAGSTONE_SIMT_AVX2
namespace avx2 {
const HandlerSet& Table();
}
#endif

namespace {
std::atomic<bool> force_baseline = false;
}

const HandlerSet& BaselineHandlers() { return baseline::Table(); }

const HandlerSet* Avx2Handlers() {
#ifdef FLAGSTONE_SIMT_AVX2
  static const bool kSupported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                 __builtin_cpu_supports("bmi2");
  return kSupported ? &avx2::Table() : nullptr;
#else
  return nullptr;
#endif
}

const HandlerSet& Handlers() {
  const HandlerSet* best = force_baseline.load() ? nullptr : Avx2Handlers();
  return best != nullptr ? *best : BaselineHandlers();
}

void ForceBaselineHandlers(bool force) { force_baseline.store(force); }

}  // namespace flagstone::simt
