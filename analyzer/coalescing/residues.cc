#include "analyzer/coalescing/residues.h"

namespace flagstone {

void Residues::Repeat(int64_t stride, uint64_t count) {
  const uint64_t step = static_cast<uint64_t>(stride) % kSectorOfRequest;
  std::array<double, kSectorOfRequest> repeated = {};
  uint64_t period = 1;
  while (period * step % kSectorOfRequest != 0) ++period;
  for (uint64_t i = 0; i < period && i < count; ++i) {
    const uint64_t turns = count / period + (i < count % period ? 1 : 0);
    const auto times = static_cast<double>(turns);
    for (uint64_t r = 0; r < kSectorOfRequest; ++r) {
      repeated[(r + i * step) % kSectorOfRequest] += times * counts_[r];
    }
  }
  counts_ = repeated;
}

}  // namespace flagstone
