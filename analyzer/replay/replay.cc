#include "analyzer/replay/replay.h"

#include <algorithm>
#include <vector>

#include "analyzer/replay/warp_replay.h"

namespace flagstone {
namespace {

using replay::TbSource;
using replay::WarpReplay;

class InOrder : public TbSource {
 public:
  explicit InOrder(std::span<const uint32_t> order) : order_(order) {}
  uint32_t Next(uint32_t /*sm*/) override {
    return started_ == order_.size() ? kNone : order_[started_++];
  }
  double Start(uint32_t place) override { return place; }  // one TB in a cycle

 private:
  std::span<const uint32_t> order_;
  size_t started_ = 0;
};

// Also says what has moved in the midst of the TBs: as many are in flight from the first that ends
// to the last that starts.
class FirstOnes : public InOrder {
 public:
  FirstOnes(std::span<const uint32_t> order, const WarpReplay& replay)
      : InOrder(order),
        replay_(replay),
        last_(order.size() - std::min<size_t>(order.size() / 2, replay.Window())) {}
  void Ended(size_t count) override {
    if (count == last_ / 2) from_ = Now();
    if (count == last_) until_ = Now();
  }
  // In so many TBs; and the dirty sectors that the L2 has more after them.
  Replayed Moved(double tbs, double* dirty) const {
    const double times = tbs / static_cast<double>(last_ - last_ / 2);
    Replayed moved = from_.moved;
    moved *= -1;
    moved += until_.moved;
    moved *= times;
    *dirty = times * (until_.dirty - from_.dirty);
    return moved;
  }

 private:
  struct Moment {
    Replayed moved;
    double dirty = 0;
  };
  Moment Now() const { return {replay_.Now(), static_cast<double>(replay_.levels().dirty())}; }

  const WarpReplay& replay_;
  const size_t last_;
  Moment from_, until_;
};

class InGroups : public TbSource {
 public:
  InGroups(const TbGroups& groups, const HandOut& hand_out, uint32_t sms)
      : groups_(groups.groups), hand_out_(hand_out), sms_(sms), queues_(sms), handed_out_(sms) {
    for (uint32_t sm = 0; sm < sms; ++sm) queues_[sm].group = sm;
  }
  uint32_t Next(uint32_t sm) override {
    Queue& queue = queues_[sm];
    while (queue.group < groups_.size() && queue.next == groups_[queue.group].size()) {
      queue = {handed_out_++, 0};
    }
    return queue.group < groups_.size() ? groups_[queue.group][queue.next++] : kNone;
  }
  double Start(uint32_t place) override {
    return hand_out_.first + hand_out_.per_group * (place % sms_) +
           hand_out_.per_tb * (place / sms_);
  }

 private:
  struct Queue {
    size_t group = 0;
    size_t next = 0;  // of the group's TBs
  };

  const std::vector<std::vector<uint32_t>>& groups_;
  const HandOut hand_out_;
  const uint32_t sms_;
  std::vector<Queue> queues_;  // by SM
  size_t handed_out_;
};

}  // namespace

class LaunchReplay::State {
 public:
  State(replay::Traces* traces, const MachineConfig& machine, uint32_t tbs_per_sm,
        const DeviceMemory* warm)
      : warps_(traces, machine, tbs_per_sm, warm) {}

  Replayed Run(std::span<const uint32_t> order, uint64_t tbs) {
    if (tbs <= order.size()) {
      InOrder source(order);
      return RunAll(&source, order.size());
    }
    FirstOnes source(order, warps_);
    warps_.Run(&source, order.size());
    double dirty = 0;
    Replayed all = source.Moved(static_cast<double>(tbs - order.size()), &dirty);
    all += warps_.Now();
    return Finish(all, dirty);
  }
  Replayed Run(const TbGroups& groups, const HandOut& hand_out) {
    size_t tbs = 0;
    for (const std::vector<uint32_t>& group : groups.groups) tbs += group.size();
    InGroups source(groups, hand_out, warps_.sms());
    return RunAll(&source, tbs);
  }

 private:
  Replayed RunAll(TbSource* source, size_t tbs) {
    warps_.Run(source, tbs);
    return Finish(warps_.Now(), 0);
  }
  // Takes away what the L2 keeps of dirty sectors, so many more than it has now; and where TBs were
  // cut short, all are taken to go on as they have begun.
  Replayed Finish(Replayed all, double more_dirty) const {
    const double dirty = static_cast<double>(warps_.levels().dirty()) + more_dirty;
    const double kept = std::min(dirty, static_cast<double>(warps_.levels().sectors()));
    all.dram_writes = std::max(0.0, all.dram_writes - kSectorBytes * kept);
    const auto times = [](double whole, double part) { return part > 0 ? whole / part : 1; };
    const double loads = times(warps_.whole().loaded, warps_.kept().loaded);
    const double stores = times(warps_.whole().stored, warps_.kept().stored);
    const double steps = times(warps_.whole().steps, warps_.kept().steps);
    all.cycles *= steps;
    for (double& part : all.busy) part *= steps;
    all.l2_reads *= loads;
    all.dram_reads *= loads;
    all.remote *= loads;
    all.l2_writes *= stores;
    all.dram_writes *= stores;
    return all;
  }

  WarpReplay warps_;
};

LaunchReplay::LaunchReplay(replay::Traces* traces, const MachineConfig& machine,
                           uint32_t tbs_per_sm, const DeviceMemory* warm)
    : state_(std::make_unique<State>(traces, machine, tbs_per_sm, warm)) {}
LaunchReplay::~LaunchReplay() = default;

Replayed LaunchReplay::Run(std::span<const uint32_t> order, uint64_t tbs) {
  return state_->Run(order, tbs);
}
Replayed LaunchReplay::Run(const TbGroups& groups, const HandOut& hand_out) {
  return state_->Run(groups, hand_out);
}

}  // namespace flagstone
