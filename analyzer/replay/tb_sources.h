// Who hands out TBs to the SMs of a replay. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TB_SOURCES_H_
#define FLAGSTONE_ANALYZER_REPLAY_TB_SOURCES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/replay/replay.h"
#include "analyzer/replay/warp_replay.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone::replay {

// The first SMs of a machine, as many as the replay has. What all SMs get in turn, they get at its
// place.
struct Neighbours {
  uint32_t sms = 1, of = 1;
  size_t Place(size_t n) const { return n / sms * of + n % sms; }
  // Places of theirs among so many.
  size_t Count(size_t all) const { return all / of * sms + std::min<size_t>(all % of, sms); }
};

// TBs in the order of a list, each on whichever SM has room.
class InOrder : public TbSource {
 public:
  InOrder(std::span<const uint32_t> order, Neighbours sms) : order_(order), sms_(sms) {}
  size_t tbs() const { return sms_.Count(order_.size()); }
  uint32_t Next(uint32_t /*sm*/) override {
    return started_ == tbs() ? kNone : order_[sms_.Place(started_++)];
  }
  double Start(uint32_t place) override { return place; }  // one TB in a cycle

 private:
  std::span<const uint32_t> order_;
  const Neighbours sms_;
  size_t started_ = 0;
};

// Each SM runs a group, and the next one that is left when all TBs of its own have begun. Once none
// is left, and the groups allow it, an SM with room steals (PAVER, section 5.2, Algorithm 2).
class InGroups : public TbSource {
 public:
  static constexpr size_t kAll = ~size_t{0};

  // `most`: TBs of an SM; with fewer than all, none steals: a sample does not come to the end.
  InGroups(const TbGroups& groups, const HandOut& hand_out, Neighbours sms, size_t most);
  size_t tbs() const { return tbs_; }
  uint32_t Next(uint32_t sm) override;
  double Start(uint32_t place) override {
    return hand_out_.first + hand_out_.per_group * (place % sms_.sms) +
           hand_out_.per_tb * (place / sms_.sms);
  }

 private:
  struct Queue {
    std::span<const uint32_t> tbs;  // that have not begun
    size_t started = 0;
  };

  void StealFor(Queue* thief);

  const std::vector<std::vector<uint32_t>>& groups_;
  const HandOut hand_out_;
  const Neighbours sms_;
  const size_t most_;
  const bool steals_;
  std::vector<Queue> queues_;  // by SM
  size_t handed_out_;
  size_t tbs_ = 0;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TB_SOURCES_H_
