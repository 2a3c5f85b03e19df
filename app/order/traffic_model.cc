#include "app/order/traffic_model.h"

#include <algorithm>
#include <vector>

#include "app/order/l1_caches.h"
#include "app/order/tournament.h"
#include "app/order/traffic_levels.h"

namespace flagstone {

class TrafficModel::State {
 public:
  State(const TouchPlan& plan, const ModelMachine& machine)
      : plan_(plan),
        machine_(machine),
        l1s_(machine.shape.sms, machine.shape.tbs_per_sm * plan.parts, machine.l1_bytes,
             machine.l1_ways),
        levels_(plan, machine),
        sm_free_(machine.shape.sms, 0) {
    double turns = 0;
    for (const uint32_t of_step : plan.turns) turns += of_step;
    turns = std::max(1.0, turns);
    issue_of_turn_ = machine.issue / turns / plan.parts;
    chain_of_turn_ = machine.chain / turns;
    rounds_of_turn_ = machine.rounds / turns;
    FindTurns();
  }

  Traffic Run(std::span<const uint32_t> order, uint64_t of) {
    const uint64_t tbs = order.size();
    uint64_t started = 0;
    const auto next = [&](uint32_t) { return started == tbs ? kNoTb : order[started++]; };
    const auto start = [](uint32_t place) { return place; };  // one TB in a cycle
    if (of <= tbs) return Deal(next, start, [](uint64_t, double) {});
    // As many TBs are in flight from the first that ends to the last that starts.
    const uint64_t last = tbs - std::min<uint64_t>(tbs, machine_.shape.Window());
    Moment from, until;
    const Traffic first = Deal(next, start, [&](uint64_t ended, double now) {
      if (ended == (last + 1) / 2) from = At(now);
      if (ended == last) until = At(now);
    });
    return Extrapolate(first, from, until, static_cast<double>(tbs), static_cast<double>(of));
  }

  Traffic Run(const TbGroups& groups, const HandOut& hand_out) {
    struct Place {
      size_t group = 0;
      size_t next = 0;  // of the group's TBs
    };
    const uint32_t sms = machine_.shape.sms;
    const size_t count = groups.groups.size();
    std::vector<Place> places(sms);
    for (uint32_t sm = 0; sm < sms; ++sm) places[sm].group = sm;
    size_t handed_out = sms;
    const auto next = [&](uint32_t sm) {
      Place& place = places[sm];
      while (place.group < count && place.next == groups.groups[place.group].size()) {
        place = {handed_out++, 0};
      }
      return place.group < count ? groups.groups[place.group][place.next++] : kNoTb;
    };
    const auto start = [&](uint32_t place) {
      const uint32_t turn = place / sms;
      return hand_out.first + hand_out.per_group * (place % sms) + hand_out.per_tb * turn;
    };
    return Deal(next, start, [](uint64_t, double) {});
  }

 private:
  static constexpr uint32_t kNoTb = ~uint32_t{0};
  struct Running {
    uint32_t tb = 0, part = 0, step = 0, sm = 0;
  };
  // Of a group in one of its steps.
  struct Turns {
    double times = 1;  // that a unit is loaded
    double share = 1;  // of the units, in each turn
  };

  // next_tb(sm): the TB that the SM starts, or kNoTb where there is none for it; start(place): when
  // the first TB of a place starts; at_end(count, time): so many TBs have ended.
  template <class NextTb, class Start, class AtEnd>
  Traffic Deal(NextTb next_tb, Start start, AtEnd at_end) {
    Clear();
    const uint32_t sms = machine_.shape.sms;
    const uint32_t parts = plan_.parts;
    std::vector<Running> running;
    std::vector<uint32_t> left;  // parts that are not done, by place for a TB
    const uint32_t window = std::min<uint32_t>(machine_.shape.Window(), sms * plan_.tbs);
    order::Tournament next(window * parts);
    uint32_t started = 0;
    const auto start_parts = [&](uint32_t place, uint32_t tb, uint32_t sm, double time) {
      for (uint32_t part = 0; part < parts; ++part) {
        const uint32_t slot = place * parts + part;
        running[slot] = {tb, part, 0, sm};
        next.Set(slot, time, started);
      }
      ++started;
    };
    for (uint32_t place = 0; place < window; ++place) {
      const uint32_t tb = next_tb(place % sms);
      if (tb == kNoTb) continue;
      const auto filled = static_cast<uint32_t>(left.size());
      left.push_back(parts);
      running.resize(running.size() + parts);
      start_parts(filled, tb, place % sms, static_cast<double>(start(place)));
    }
    uint64_t ended = 0;
    double end = 0;
    while (!next.IsEmpty()) {
      const uint32_t slot = next.player();
      Running& tb = running[slot];
      const double time = Step(tb, next.time());
      end = std::max(end, time);
      if (++tb.step < plan_.steps) {
        next.Set(slot, time, next.age());
        continue;
      }
      next.Remove(slot);
      // The last part makes room for the next TB.
      const uint32_t place = slot / parts;
      if (--left[place] > 0) continue;
      at_end(++ended, end);
      const uint32_t sm = tb.sm, after = next_tb(sm);
      if (after == kNoTb) continue;
      left[place] = parts;
      start_parts(place, after, sm, time);
    }
    Traffic traffic = levels_.moved();
    traffic.uneven = std::min(end, uneven_ / static_cast<double>(running.size()));
    traffic.cycles = end;
    return traffic;
  }

  // What has moved when the work of so many TBs is done. What is written stays in the L2 only once,
  // so it counts as moved.
  struct Moment {
    double tbs = 0;
    Traffic traffic;
  };
  Moment At(double cycles) const {
    const double steps_of_tb = static_cast<double>(plan_.steps) * plan_.parts;
    Moment now = {static_cast<double>(steps_) / steps_of_tb, levels_.moved()};
    now.traffic.dram_writes += static_cast<double>(levels_.DirtyBytes());
    now.traffic.cycles = cycles;
    return now;
  }

  // The traffic of `of` TBs of which the first `tbs` have traffic `first`. The others move what TBs
  // move between two moments in the midst of these: at its edges an order shares less.
  static Traffic Extrapolate(const Traffic& first, const Moment& from, const Moment& until,
                             double tbs, double of) {
    Traffic all = first;
    for (double Traffic::*figure :
         {&Traffic::l2_reads, &Traffic::l2_writes, &Traffic::dram_reads, &Traffic::dram_writes,
          &Traffic::remote, &Traffic::cycles, &Traffic::uneven}) {
      const bool steady = until.tbs > from.tbs && figure != &Traffic::uneven;
      const double of_tb =
          steady ? (until.traffic.*figure - from.traffic.*figure) / (until.tbs - from.tbs)
                 : first.*figure / tbs;
      all.*figure += of_tb * (of - tbs);
    }
    return all;
  }

  void Clear() {
    levels_.Clear();
    l1s_.Clear();
    std::fill(sm_free_.begin(), sm_free_.end(), 0);
    uneven_ = 0;
    steps_ = 0;
  }
  // Loads of a turn that wait one for the other are as turns of their own.
  void FindTurns() {
    const double waits = std::max(1.0, rounds_of_turn_);
    for (const TouchPlan::Group& group : plan_.groups) {
      turns_begin_.push_back(turns_.size());
      for (uint32_t s = 0; s < group.steps; ++s) {
        const double turns = plan_.turns[group.first_step + s];
        const double times = 1 + (std::clamp(group.repeats, 1.0, turns) - 1) * waits;
        turns_.push_back({times, std::min(1.0, times / (turns * waits))});
      }
    }
  }
  // When the step that begins at `now` is over.
  double Step(const Running& tb, double now) {
    ++steps_;
    const double turns = plan_.turns[tb.step];
    l1s_.BeginStep(tb.sm);
    double& sm_free = sm_free_[tb.sm];
    sm_free = std::max(sm_free, now) + issue_of_turn_ * turns;
    double bytes = 0, l2_bytes = 0, dram_bytes = 0;
    double uneven = 0;
    order::Arrival arrives;
    for (const auto& [g, piece] : plan_.TouchedBy(tb.tb, tb.part)) {
      const TouchPlan::Group& group = plan_.groups[g];
      const uint32_t step = tb.step - group.first_step;
      if (step >= group.steps) continue;
      const auto [times, share] = turns_[turns_begin_[g] + step];
      for (const uint32_t atom : plan_.AtomsOf(piece, step)) {
        const uint32_t size = plan_.atoms[atom].bytes;
        const bool once = plan_.atoms[atom].once;
        if (group.is_store) {
          if (machine_.stores_evict && !once) l1s_.Drop(tb.sm, atom);
          const order::Arrival there = levels_.Store(tb.sm, atom, size * group.repeats, now);
          uneven = std::max(uneven, there.real - there.even);
          arrives.Await(there);
          continue;
        }
        const double missed = size * (once ? l1s_.Pass(tb.sm, size, times, share)
                                           : l1s_.Touch(tb.sm, atom, size, times, share));
        bytes += size * times;
        if (missed == 0) continue;
        l2_bytes += missed;
        const order::Arrival there = levels_.Load(tb.sm, atom, missed, now, &dram_bytes);
        uneven = std::max(uneven, there.real - there.even);
        arrives.Await(there);
      }
    }
    uneven_ += std::max(0.0, uneven);
    double end = std::max(now + turns * chain_of_turn_, arrives.real);
    if (bytes > 0) {
      // Of the rounds, as many wait for a level as there are data from it.
      const double rounds = rounds_of_turn_ * turns, least = std::min(rounds, 1.0);
      end += rounds * machine_.l1_latency;
      if (l2_bytes > 0) end += std::max(least, rounds * l2_bytes / bytes) * machine_.l2_latency;
      if (dram_bytes > 0) {
        end += std::max(least, rounds * dram_bytes / bytes) * machine_.dram_latency;
      }
    }
    return std::max(end, sm_free);
  }

  const TouchPlan& plan_;
  const ModelMachine machine_;
  order::L1Caches l1s_;
  order::TrafficLevels levels_;
  std::vector<double> sm_free_;
  std::vector<size_t> turns_begin_;  // in `turns_`, by group
  std::vector<Turns> turns_;
  double issue_of_turn_ = 0, chain_of_turn_ = 0, rounds_of_turn_ = 0;
  double uneven_ = 0;   // cycles, of all steps
  uint64_t steps_ = 0;  // that are done
};

TrafficModel::TrafficModel(const TouchPlan& plan, const ModelMachine& machine)
    : state_(std::make_unique<State>(plan, machine)) {}
TrafficModel::~TrafficModel() = default;

Traffic TrafficModel::Run(std::span<const uint32_t> order, uint64_t tbs) {
  return state_->Run(order, tbs);
}

Traffic TrafficModel::Run(const TbGroups& groups, const HandOut& hand_out) {
  return state_->Run(groups, hand_out);
}

}  // namespace flagstone
