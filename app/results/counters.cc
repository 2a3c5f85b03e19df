#include "app/results/counters.h"

namespace flagstone {

void Counters::Add(uint64_t cycle, std::span<const uint64_t> sums) {
  while (cycle / width_ >= most_buckets_) HalveTheNumber();
  const size_t bucket = cycle / width_;
  if (bucket >= buckets()) values_.resize((bucket + 1) * columns_);
  for (size_t i = 0; i < columns_; ++i) {
    values_[bucket * columns_ + i] += sums[i] - last_[i];
    last_[i] = sums[i];
  }
}

void Counters::HalveTheNumber() {
  width_ *= 2;
  const size_t before = buckets();
  const size_t after = (before + 1) / 2;
  for (size_t bucket = 1; bucket < before; ++bucket) {
    const bool first = bucket % 2 == 0;
    for (size_t i = 0; i < columns_; ++i) {
      uint64_t& merged = values_[bucket / 2 * columns_ + i];
      merged = (first ? 0 : merged) + values_[bucket * columns_ + i];
    }
  }
  values_.resize(after * columns_);
}

}  // namespace flagstone
