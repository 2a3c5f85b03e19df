#include "app/order/l1_caches.h"

#include <algorithm>
#include <cmath>

namespace flagstone::order {
namespace {

// That fewer than `ways` come where `mean` are expected.
double FewerThan(uint32_t ways, double mean) {
  double sum = 0;
  for (uint32_t k = 0; k < ways; ++k) {
    sum += mean == 0 ? (k == 0 ? 1.0 : 0.0)
                     : std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
  }
  return std::min(1.0, sum);
}

}  // namespace

L1Caches::L1Caches(uint32_t sms, uint32_t runners, uint64_t bytes, uint32_t ways)
    : runners_(runners), bytes_(bytes), sms_(sms), slots_(kFirstSlots) {
  if (bytes == 0) return;
  per_byte_ = static_cast<double>(kPerSize) / static_cast<double>(bytes);
  for (size_t i = 0; i < kPerSize * kSizes; ++i) {
    const double sizes = (static_cast<double>(i) + 0.5) / kPerSize;
    survives_.push_back(FewerThan(ways, sizes * ways));
  }
  survives_[0] = 1;
}

void L1Caches::Clear() {
  ++epoch_;
  used_ = 0;
  std::fill(sms_.begin(), sms_.end(), Sm{});
}

// Keeps the table small enough for the host's caches: what is gone needs no slot.
void L1Caches::MakeRoom() {
  std::vector<Slot> kept;
  for (const Slot& slot : slots_) {
    if (slot.epoch == epoch_ && !IsGone(slot)) kept.push_back(slot);
  }
  if (8 * kept.size() > slots_.size()) slots_.resize(2 * slots_.size());
  ++epoch_;
  used_ = kept.size();
  for (Slot& slot : kept) {
    slot.epoch = epoch_;
    Probe(slot.key) = slot;
  }
}

}  // namespace flagstone::order
