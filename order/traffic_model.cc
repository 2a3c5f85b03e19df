#include "order/traffic_model.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "order/l1_caches.h"
#include "order/lru_stack.h"

namespace flagstone {
namespace {

// What passes through one part of the machine at so many bytes a cycle.
class TrafficPipe {
 public:
  explicit TrafficPipe(double rate) : cycles_(1 / rate) {}
  void Clear() { free_ = 0; }
  // What comes next waits until then.
  void Block(double until) { free_ = std::max(free_, until); }
  // When the last of `bytes` that come at `now` is through.
  double Pass(double now, double bytes) {
    free_ = std::max(free_, now) + bytes * cycles_;
    return free_;
  }

 private:
  double cycles_;  // of a byte
  double free_ = 0;
};

// When data are there: as things are, and if they were spread evenly over slices and channels.
struct Arrival {
  double even = 0, real = 0;
  void Await(const Arrival& other) {
    even = std::max(even, other.even);
    real = std::max(real, other.real);
  }
};

}  // namespace

class TrafficModel::State {
 public:
  State(const TouchPlan& plan, const ModelMachine& machine)
      : plan_(plan),
        machine_(machine),
        l1s_(machine.shape.sms, machine.shape.tbs_per_sm * plan.parts, machine.l1_bytes,
             machine.l1_ways),
        l2_(plan.atom_bytes, machine.l2_bytes),
        begin_l2_(l2_),
        l2_pipe_(machine.l2_rate),
        dram_pipe_(machine.dram_rate),
        remote_pipe_(machine.remote_rate),
        read_ports_(machine.shape.sms / machine.sms_per_port + 1,
                    TrafficPipe(machine.read_port_rate)),
        write_ports_(read_ports_.size(), TrafficPipe(machine.write_port_rate)),
        held_ports_(write_ports_),
        slice_pipes_(machine.slices, TrafficPipe(machine.slice_rate)),
        channel_pipes_(machine.channels, TrafficPipe(machine.channel_rate)),
        sm_free_(machine.shape.sms, 0) {
    if (machine.nodes > 1 && machine.caches_remote) {
      for (uint32_t n = 0; n < machine.nodes; ++n) {
        nodes_.emplace_back(plan.atom_bytes, machine.l2_bytes / machine.nodes);
      }
    }
    if (machine.warm) WarmL2();
    begin_l2_ = l2_;
    double turns = 0;
    for (const uint32_t of_step : plan.turns) turns += of_step;
    turns = std::max(1.0, turns);
    issue_of_turn_ = machine.issue / turns / plan.parts;
    chain_of_turn_ = machine.chain / turns;
    rounds_of_turn_ = machine.rounds / turns;
    FindTouches();
    for (uint32_t sm = 0; sm < machine.shape.sms; ++sm) {
      port_of_sm_.push_back(sm / machine.sms_per_port);
    }
    for (uint32_t slice = 0; slice < machine.slices; ++slice) {
      channel_of_slice_.push_back(slice * machine.channels / machine.slices);
    }
  }

  Traffic Run(std::span<const uint32_t> order, uint64_t of) {
    const uint64_t tbs = order.size();
    uint64_t started = 0;
    Deal([&](uint32_t) { return started == tbs ? kNoTb : order[started++]; },
         [](uint32_t place) { return place; },  // one TB starts in a cycle
         tbs);
    if (of > tbs) traffic_ = Extrapolate(static_cast<double>(tbs), static_cast<double>(of));
    return traffic_;
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
    Deal(
        next,
        [&](uint32_t place) {
          return hand_out.first + hand_out.per_group * (place % sms) +
                 hand_out.per_tb * (place / sms);
        },
        0);
    return traffic_;
  }

 private:
  static constexpr uint32_t kNoTb = ~uint32_t{0};
  struct Running {
    uint32_t tb = 0, part = 0, step = 0, sm = 0;
  };
  // Of a group in a step.
  struct Touches {
    const TouchPlan::Group* group = nullptr;
    double times = 1;  // that a unit is loaded
    double share = 1;  // of the units, in each turn
  };
  struct Next {
    double time = 0;
    uint32_t age = 0;  // how many TBs started before its own
    uint32_t slot = 0;
    // The earliest is the largest, as heaps have it; of those, the oldest.
    bool operator<(const Next& other) const {
      if (time != other.time) return time > other.time;
      return age != other.age ? age > other.age : slot > other.slot;
    }
  };

  // As popping it and pushing another one, but in one way down, which mostly is short.
  static void ReplaceFront(const Next& next, std::vector<Next>* heap) {
    Next* const all = heap->data();
    const size_t count = heap->size();
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && all[child] < all[child + 1]) ++child;
      if (!(next < all[child])) break;
      all[at] = all[child];
      at = child;
    }
    all[at] = next;
  }

  // next_tb(sm): the TB that the SM starts, or kNoTb where there is none for it; start(place): when
  // the first TB of a place starts; tbs: how many there are, where that matters.
  template <class NextTb, class Start>
  void Deal(NextTb next_tb, Start start, uint64_t tbs) {
    Clear();
    const uint32_t sms = machine_.shape.sms;
    const uint32_t parts = plan_.parts;
    std::vector<Running> running;
    std::vector<uint32_t> left;  // parts that are not done, by place for a TB
    std::vector<Next> heap;
    uint32_t started = 0;
    const auto start_parts = [&](uint32_t place, uint32_t tb, uint32_t sm, double time) {
      for (uint32_t part = 0; part < parts; ++part) {
        const uint32_t slot = place * parts + part;
        running[slot] = {tb, part, 0, sm};
        heap.push_back({time, started, slot});
        std::push_heap(heap.begin(), heap.end());
      }
      ++started;
    };
    const uint32_t window = std::min<uint32_t>(machine_.shape.Window(), sms * plan_.tbs);
    for (uint32_t place = 0; place < window; ++place) {
      const uint32_t tb = next_tb(place % sms);
      if (tb == kNoTb) continue;
      const auto filled = static_cast<uint32_t>(left.size());
      left.push_back(parts);
      running.resize(running.size() + parts);
      start_parts(filled, tb, place % sms, static_cast<double>(start(place)));
    }
    const uint64_t last_start = tbs - std::min<uint64_t>(tbs, window);
    uint64_t ended = 0, steps = 0;
    double end = 0;
    while (!heap.empty()) {
      ++steps;
      Next next = heap.front();
      Running& tb = running[next.slot];
      next.time = Step(tb, next.time);
      end = std::max(end, next.time);
      if (++tb.step < plan_.steps) {
        ReplaceFront(next, &heap);
        continue;
      }
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
      // The last part makes room for the next TB.
      const uint32_t place = next.slot / parts;
      if (--left[place] > 0) continue;
      ++ended;
      if (ended == (last_start + 1) / 2) steady_from_ = Now(steps, end);
      if (ended == last_start) steady_until_ = Now(steps, end);
      const uint32_t sm = tb.sm, after = next_tb(sm);
      if (after == kNoTb) continue;
      left[place] = parts;
      start_parts(place, after, sm, next.time);
    }
    traffic_.uneven = std::min(end, traffic_.uneven / static_cast<double>(running.size()));
    traffic_.cycles = end;
  }

  // What has moved when the work of so many TBs is done.
  struct Moment {
    double tbs = 0;
    Traffic traffic;
  };
  Moment Now(uint64_t steps, double cycles) const {
    Moment now = {static_cast<double>(steps) / plan_.steps / plan_.parts, traffic_};
    now.traffic.dram_writes += static_cast<double>(l2_.DirtyBytes());
    now.traffic.cycles = cycles;
    return now;
  }

  // The traffic of `of` TBs, of which these were the first. Those that are left move what a TB
  // moves between two moments at which as many are in flight; at the edges of what was looked at,
  // an order shares less than in its midst. What is written stays in the L2 only once.
  Traffic Extrapolate(double tbs, double of) const {
    const Moment from = steady_from_, until = steady_until_;
    Traffic all = traffic_;
    const double left = (of - tbs) / std::max(1.0, until.tbs - from.tbs);
    const auto add = [&](double Traffic::*figure) {
      const double steady = until.traffic.*figure - from.traffic.*figure;
      all.*figure = until.tbs > from.tbs ? all.*figure + steady * left : all.*figure * of / tbs;
    };
    for (double Traffic::*figure : {&Traffic::l2_reads, &Traffic::l2_writes, &Traffic::dram_reads,
                                    &Traffic::dram_writes, &Traffic::remote, &Traffic::cycles}) {
      add(figure);
    }
    all.uneven *= of / tbs;
    return all;
  }

  void Clear() {
    traffic_ = {};
    steady_from_ = steady_until_ = {};
    l1s_.Clear();
    l2_ = begin_l2_;
    for (LruStack& node : nodes_) node.Clear();
    for (TrafficPipe* pipe : {&l2_pipe_, &dram_pipe_, &remote_pipe_}) pipe->Clear();
    for (auto* pipes :
         {&read_ports_, &write_ports_, &held_ports_, &slice_pipes_, &channel_pipes_}) {
      for (TrafficPipe& pipe : *pipes) pipe.Clear();
    }
    std::fill(sm_free_.begin(), sm_free_.end(), 0);
  }
  // Loads of a turn that wait one for the other are as turns of their own.
  void FindTouches() {
    touches_at_.resize(plan_.steps);
    const double waits = std::max(1.0, rounds_of_turn_);
    for (const TouchPlan::Group& group : plan_.groups) {
      for (uint32_t s = 0; s < group.steps; ++s) {
        const double turns = plan_.turns[group.first_step + s];
        const double times = 1 + (std::clamp(group.repeats, 1.0, turns) - 1) * waits;
        const double share = std::min(1.0, times / (turns * waits));
        touches_at_[group.first_step + s].push_back({&group, times, share});
      }
    }
  }
  // Copies into device memory went through the L2, one buffer after the other.
  void WarmL2() {
    std::vector<uint32_t> by_address;
    for (uint32_t atom = 0; atom < plan_.atom_bytes.size(); ++atom) {
      if (plan_.atom_address[atom] >= machine_.warm_from) by_address.push_back(atom);
    }
    std::sort(by_address.begin(), by_address.end(), [&](uint32_t a, uint32_t b) {
      return plan_.atom_address[a] < plan_.atom_address[b];
    });
    for (const uint32_t atom : by_address) l2_.Touch(atom, false, [](uint32_t) {});
  }

  // When the step that begins at `now` is over.
  double Step(const Running& tb, double now) {
    const double turns = plan_.turns[tb.step];
    l1s_.BeginStep(tb.sm);
    double& sm_free = sm_free_[tb.sm];
    sm_free = std::max(sm_free, now) + issue_of_turn_ * turns;
    double bytes = 0, l2_bytes = 0, dram_bytes = 0;
    double uneven = 0;
    Arrival arrives;
    for (const auto& [group, times, share] : touches_at_[tb.step]) {
      const uint32_t piece = group->piece_of[size_t{tb.tb} * plan_.parts + tb.part];
      if (piece == TouchPlan::kNoPiece) continue;
      for (const uint32_t atom : plan_.AtomsOf(piece, tb.step - group->first_step)) {
        const uint32_t size = plan_.atom_bytes[atom];
        if (group->is_store) {
          if (machine_.stores_evict && plan_.atom_once[atom] == 0) l1s_.Drop(tb.sm, atom);
          traffic_.l2_writes += size * group->repeats;
          const Arrival there = Store(tb.sm, atom, size * group->repeats, now);
          uneven = std::max(uneven, there.real - there.even);
          arrives.Await(there);
          continue;
        }
        const bool once = plan_.atom_once[atom] != 0;
        const double missed = size * (once ? l1s_.Pass(tb.sm, size, times, share)
                                           : l1s_.Touch(tb.sm, atom, size, times, share));
        bytes += size * times;
        if (missed == 0) continue;
        traffic_.l2_reads += missed;
        l2_bytes += missed;
        const Arrival there = Load(tb.sm, atom, missed, now, &dram_bytes);
        uneven = std::max(uneven, there.real - there.even);
        arrives.Await(there);
      }
    }
    traffic_.uneven += std::max(0.0, uneven);
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

  Arrival Load(uint32_t sm, uint32_t atom, double bytes, double now, double* dram_bytes) {
    Arrival there = ThroughL2(read_ports_[port_of_sm_[sm]], atom, bytes, now);
    if (FindInNode(sm, atom, false, bytes, &there)) return there;
    Arrival leaves;
    if (TouchL2(atom, false, there, &leaves)) return there;
    const double once = std::min<double>(bytes, plan_.atom_bytes[atom]);
    traffic_.dram_reads += once;
    *dram_bytes += once;
    return ThroughDram(atom, once, there);
  }

  // A store waits where what has to leave the L2 for it does.
  Arrival Store(uint32_t sm, uint32_t atom, double bytes, double now) {
    const uint32_t port = port_of_sm_[sm];
    Arrival there = ThroughL2(write_ports_[port], atom, bytes, now);
    // Who waits for a slice holds up what its port has for others (assumption: no queues between).
    there.real = std::max(there.real, held_ports_[port].Pass(now, bytes));
    held_ports_[port].Block(there.real);
    FindInNode(sm, atom, true, bytes, &there);
    Arrival leaves = there;
    TouchL2(atom, true, there, &leaves);
    return leaves;
  }

  Arrival ThroughL2(TrafficPipe& port, uint32_t atom, double bytes, double now) {
    const double even = std::max(l2_pipe_.Pass(now, bytes), port.Pass(now, bytes));
    Arrival there = {even, even};
    ForSlices(atom, [&](uint32_t slice, double share) {
      there.real = std::max(there.real, slice_pipes_[slice].Pass(now, bytes * share));
    });
    return there;
  }
  Arrival ThroughDram(uint32_t atom, double bytes, const Arrival& now) {
    const double even = dram_pipe_.Pass(now.even, bytes);
    Arrival there = {even, std::max(even, now.real)};
    ForSlices(atom, [&](uint32_t slice, double share) {
      TrafficPipe& channel = channel_pipes_[channel_of_slice_[slice]];
      there.real = std::max(there.real, channel.Pass(now.even, bytes * share));
    });
    return there;
  }
  template <class Visit>
  void ForSlices(uint32_t atom, Visit visit) const {
    if (plan_.slice_begin.empty()) return;
    for (uint32_t i = plan_.slice_begin[atom]; i < plan_.slice_begin[atom + 1]; ++i) {
      visit(plan_.slices[i].slice, plan_.slices[i].share);
    }
  }

  // Whether the SM's own node has another one's data; else they come from there.
  bool FindInNode(uint32_t sm, uint32_t atom, bool writes, double bytes, Arrival* now) {
    if (machine_.nodes == 1) return false;
    const bool near = !nodes_.empty() && !writes &&
                      nodes_[sm % machine_.nodes].Touch(atom, false, [](uint32_t) {});
    if (near) return true;
    const double away = bytes * (machine_.nodes - 1) / machine_.nodes;
    traffic_.remote += away;
    const double there = remote_pipe_.Pass(now->even, away);
    now->Await({there, there});
    return false;
  }

  // Whether the L2 has the atom, which it then holds; `leaves`: also when what it writes back for
  // that is out.
  bool TouchL2(uint32_t atom, bool writes, const Arrival& now, Arrival* leaves) {
    return l2_.Touch(atom, writes, [&](uint32_t out) {
      traffic_.dram_writes += plan_.atom_bytes[out];
      leaves->Await(ThroughDram(out, plan_.atom_bytes[out], now));
    });
  }

  const TouchPlan& plan_;
  const ModelMachine machine_;
  Traffic traffic_;
  Moment steady_from_, steady_until_;
  order::L1Caches l1s_;
  LruStack l2_, begin_l2_;
  std::deque<LruStack> nodes_;
  TrafficPipe l2_pipe_, dram_pipe_, remote_pipe_;
  std::vector<TrafficPipe> read_ports_, write_ports_;  // by port of SMs
  std::vector<TrafficPipe> held_ports_;                // the latter, which slices hold up
  std::vector<TrafficPipe> slice_pipes_, channel_pipes_;
  std::vector<double> sm_free_;
  std::vector<uint32_t> port_of_sm_, channel_of_slice_;
  std::vector<std::vector<Touches>> touches_at_;  // by step
  double issue_of_turn_ = 0, chain_of_turn_ = 0, rounds_of_turn_ = 0;
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
