#include "gpu_model/sm/warp_scheduler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string>

#include "base/error.h"
#include "gpu_model/machines/machine.h"

namespace flagstone {
namespace {

constexpr uint32_t kMaxWarps = 64;

uint32_t Lowest(uint64_t mask) { return static_cast<uint32_t>(std::countr_zero(mask)); }

// Greedy-then-oldest (Rogers et al., MICRO 2012): stays with a warp until it stalls, then takes the
// one that has been on the SM longest.
class GreedyThenOldest final : public WarpScheduler {
 public:
  void Started(uint32_t warp) override { by_age_[count_++] = static_cast<uint8_t>(warp); }

  void Finished(uint32_t warp) override {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if (by_age_[i] != warp) by_age_[kept++] = by_age_[i];
    }
    count_ = kept;
    if (last_ == warp) last_ = kNobody;
  }

  uint32_t Pick(uint64_t candidates) override {
    if (last_ != kNobody && ((candidates >> last_) & 1) != 0) return last_;
    if (std::has_single_bit(candidates)) return last_ = Lowest(candidates);
    for (uint32_t i = 0; i < count_; ++i) {
      if (((candidates >> by_age_[i]) & 1) != 0) return last_ = by_age_[i];
    }
    return last_ = Lowest(candidates);
  }

 private:
  static constexpr uint32_t kNobody = kMaxWarps;
  std::array<uint8_t, kMaxWarps> by_age_ = {};  // oldest first
  uint32_t count_ = 0;
  uint32_t last_ = kNobody;
};

// Loose round-robin: the first candidate after the warp that issued last.
class LooseRoundRobin final : public WarpScheduler {
 public:
  void Started(uint32_t) override {}
  void Finished(uint32_t) override {}
  uint32_t Pick(uint64_t candidates) override {
    const uint64_t after = next_ >= kMaxWarps ? 0 : candidates & (~uint64_t{0} << next_);
    const uint32_t warp = Lowest(after != 0 ? after : candidates);
    next_ = warp + 1;
    return warp;
  }

 private:
  uint32_t next_ = 0;
};

template <class Policy>
std::unique_ptr<WarpScheduler> Make() {
  return std::make_unique<Policy>();
}

constexpr std::array kPolicies = {
    WarpSchedulerPolicy{"lrr", "loose round-robin", Make<LooseRoundRobin>},
    WarpSchedulerPolicy{"gto", "greedy, then oldest", Make<GreedyThenOldest>},
};

constexpr bool SameNames() {
  return std::equal(
      kPolicies.begin(), kPolicies.end(), std::begin(kWarpSchedulers), std::end(kWarpSchedulers),
      [](const auto& policy, const WarpSchedulerName& known) { return policy.name == known.name; });
}
static_assert(SameNames());

}  // namespace

std::span<const WarpSchedulerPolicy> WarpSchedulerPolicies() { return kPolicies; }

const WarpSchedulerPolicy& FindWarpScheduler(std::string_view name) {
  std::string known;
  for (const WarpSchedulerPolicy& policy : kPolicies) {
    if (policy.name == name) return policy;
    known += (known.empty() ? "" : ", ") + std::string(policy.name);
  }
  ThrowBadInput("unknown warp scheduler '{}': expected one of {}", name, known);
}

}  // namespace flagstone
