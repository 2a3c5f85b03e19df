#include "analyzer/replay/replay.h"

#include <algorithm>
#include <optional>

#include "analyzer/replay/tb_sources.h"
#include "analyzer/replay/warp_replay.h"

namespace flagstone {
namespace {

using replay::Amount;
using replay::InGroups;
using replay::InOrder;
using replay::Neighbours;
using replay::TbSource;
using replay::WarpReplay;

// Whoever hands out TBs, and what has moved in the midst of them: in whole waves, since TBs that
// start together may end together, and where there are enough, behind the first one.
class Watched : public TbSource {
 public:
  Watched(TbSource* source, size_t tbs, const WarpReplay& replay)
      : source_(*source),
        replay_(replay),
        last_(LastOf(tbs, replay.Window())),
        first_(last_ > replay.Window() ? replay.Window() : 0) {}
  uint32_t Next(uint32_t sm) override { return source_.Next(sm); }
  double Start(uint32_t place) override { return source_.Start(place); }
  void Ended(size_t count) override {
    if (count == first_) from_ = replay_.Now();
    if (count == last_) until_ = replay_.Now();
  }
  // In so many TBs.
  Replayed Moved(double tbs) const {
    Replayed moved = from_;
    moved *= -1;
    moved += until_;
    moved *= tbs / static_cast<double>(last_ - first_);
    return moved;
  }

 private:
  // As many are in flight until this one ends.
  static size_t LastOf(size_t tbs, size_t window) {
    return tbs < 2 * window ? std::min(tbs, window) : (tbs / window - 1) * window;
  }

  TbSource& source_;
  const WarpReplay& replay_;
  const size_t last_, first_;
  Replayed from_, until_;
};

// How many times as many sectors of each access a whole TB touches as a shortened one. Accesses
// that the latter does not come to are taken to be like the others.
std::vector<double> WholeOfShort(replay::Traces& traces, uint32_t steps) {
  const std::vector<double> whole = traces.Of(0).CountSectors(traces.accesses()),
                            kept = traces.Of(0, steps).CountSectors(traces.accesses());
  double all = 0, seen = 0;
  for (size_t access = 0; access < whole.size(); ++access) {
    all += whole[access];
    if (kept[access] > 0) seen += whole[access];
  }
  std::vector<double> times(whole.size(), 1);
  for (size_t access = 0; access < whole.size(); ++access) {
    if (kept[access] > 0) times[access] = whole[access] / kept[access] * all / seen;
  }
  return times;
}

}  // namespace

class LaunchReplay::State {
 public:
  State(replay::Traces* traces, const MachineConfig& machine, uint32_t tbs_per_sm,
        const DeviceMemory& memory, bool warm, uint64_t most)
      : tbs_(static_cast<double>(traces->launch().TbCount())),
        sms_(machine.sm.count),
        tb_(traces->Of(0).whole),
        sample_(replay::ChooseSample(
            {traces->launch().TbCount(), traces->warps(), tb_.steps, tbs_per_sm}, machine, most)) {
    const DeviceMemory* before = warm ? &memory : nullptr;
    all_.emplace(traces, sample_.short_steps, machine, tbs_per_sm, before);
    if (sample_.short_steps != 0) all_->SetWholeTbs(WholeOfShort(*traces, sample_.short_steps));
    if (sample_.sms == 0) return;
    const MachineConfig part = replay::PartOf(machine, sample_.sms / static_cast<double>(sms_));
    part_.emplace(traces, sample_.steps, part, tbs_per_sm, nullptr);
  }

  const replay::Sample& sample() const { return sample_; }

  Replayed Run(std::span<const uint32_t> order) {
    const auto run = [&](WarpReplay* replay, size_t tbs) {
      InOrder source(order.first(tbs), {replay->sms(), sms_});
      return RunFrom(replay, &source, source.tbs());
    };
    if (sample_.whole) return run(&*all_, order.size());
    return Sampled(run);
  }
  Replayed Run(const TbGroups& groups, const HandOut& hand_out) {
    const auto run = [&](WarpReplay* replay, size_t tbs) {
      InGroups source(groups, hand_out, {replay->sms(), sms_}, (tbs + sms_ - 1) / sms_);
      return RunFrom(replay, &source, source.tbs());
    };
    if (sample_.whole) {
      InGroups source(groups, hand_out, {sms_, sms_}, InGroups::kAll);
      return RunFrom(&*all_, &source, source.tbs());
    }
    return Sampled(run);
  }

 private:
  // What all SMs bring from DRAM by the first steps of TBs, and what some of them bring from the L2
  // by whole ones, and the time of that.
  template <class RunOf>
  Replayed Sampled(RunOf run) {
    const Replayed first_steps = run(&*all_, sample_.short_tbs);
    if (!part_) return first_steps;
    part_->SetMostMisses(first_steps.dram_reads /
                         (kSectorBytes * std::max(1.0, tbs_ * tb_.loaded)));
    Replayed result = run(&*part_, sample_.tbs);
    result.dram_reads = first_steps.dram_reads;
    result.dram_writes = first_steps.dram_writes;
    return result;
  }

  Replayed RunFrom(WarpReplay* replay, TbSource* source, size_t tbs) {
    Watched watched(source, tbs, *replay);
    replay->Run(&watched, tbs);
    const double share = static_cast<double>(replay->sms()) / sms_;
    const double left = tbs_ * share - static_cast<double>(tbs);
    Replayed all = replay->Now();
    const bool whole = left < 1 && replay == &*all_ && sample_.short_steps == 0;
    const double dirty = static_cast<double>(replay->levels().dirty());
    if (left >= 1) all += watched.Moved(left);
    all = OfWholeTbs(*replay, all, share);
    // What the L2 keeps of dirty sectors is not written; of a sample, its share of all.
    const double room = kSectorBytes * static_cast<double>(replay->levels().sectors());
    all.dram_writes -= whole ? kSectorBytes * dirty
                             : std::min(1.0, room / std::max(all.Dram(), 1.0)) * all.dram_writes;
    return all;
  }

  // Where TBs were cut short, all are taken to go on as they have begun.
  static Replayed OfWholeTbs(const WarpReplay& replay, Replayed all, double share) {
    const auto times = [](double whole, double part) { return part > 0 ? whole / part : 1; };
    const Amount &whole = replay.whole(), &seen = replay.kept();
    const double loads = times(whole.loaded, seen.loaded) / share;
    const double stores = times(whole.stored, seen.stored) / share;
    const double steps = times(whole.steps, seen.steps);
    all.cycles *= steps;
    for (double& part : all.busy) part *= steps;
    all.l2_reads *= loads;
    all.remote *= loads;
    all.l2_writes *= stores;
    all.dram_reads /= share;
    all.dram_writes /= share;
    return all;
  }

  const double tbs_;
  const uint32_t sms_;
  const Amount tb_;
  const replay::Sample sample_;
  std::optional<WarpReplay> all_, part_;  // SMs
};

LaunchReplay::LaunchReplay(replay::Traces* traces, const MachineConfig& machine,
                           uint32_t tbs_per_sm, const DeviceMemory& memory, bool warm,
                           uint64_t most)
    : state_(std::make_unique<State>(traces, machine, tbs_per_sm, memory, warm, most)) {}
LaunchReplay::~LaunchReplay() = default;

const replay::Sample& LaunchReplay::sample() const { return state_->sample(); }
Replayed LaunchReplay::Run(std::span<const uint32_t> order) { return state_->Run(order); }
Replayed LaunchReplay::Run(const TbGroups& groups, const HandOut& hand_out) {
  return state_->Run(groups, hand_out);
}

}  // namespace flagstone
