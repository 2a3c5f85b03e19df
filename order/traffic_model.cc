#include "order/traffic_model.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "order/lru_stack.h"

namespace flagstone {
namespace {

// What the L1s hold: an atom is there until as much has come into its L1 since it was touched last
// as the L1 holds.
class L1s {
 public:
  L1s(uint32_t sms, uint64_t bytes) : bytes_(bytes), come_in_(sms, 0), slots_(kFirstSlots) {}

  void Clear() {
    ++epoch_;
    used_ = 0;
    std::fill(come_in_.begin(), come_in_.end(), 0);
  }

  bool Touch(uint32_t sm, uint32_t atom, uint32_t size) {
    if (bytes_ == 0) return false;
    Slot& slot = Find(sm, atom);
    const bool hit = slot.stamp + bytes_ > come_in_[sm] && slot.stamp != kGone;
    if (!hit) come_in_[sm] += size;
    slot.stamp = come_in_[sm];
    return hit;
  }
  // Something that nobody touches again comes in.
  void Pass(uint32_t sm, uint32_t size) { come_in_[sm] += size; }
  void Drop(uint32_t sm, uint32_t atom) {
    if (bytes_ != 0) Find(sm, atom).stamp = kGone;
  }

 private:
  static constexpr size_t kFirstSlots = size_t{1} << 12;
  static constexpr uint64_t kGone = ~uint64_t{0};
  struct Slot {
    uint64_t key = 0;
    uint64_t stamp = 0;
    uint32_t epoch = 0;  // others are empty
  };

  Slot& Find(uint32_t sm, uint32_t atom) {
    if (2 * used_ > slots_.size()) Grow();
    const uint64_t key = uint64_t{sm} << 32 | atom;
    Slot& slot = Probe(key);
    if (slot.epoch != epoch_) {
      slot = {key, kGone, epoch_};
      ++used_;
    }
    return slot;
  }
  Slot& Probe(uint64_t key) {
    size_t at = (key * 0x9e3779b97f4a7c15U) >> 20 & (slots_.size() - 1);
    while (slots_[at].epoch == epoch_ && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.epoch == epoch_) Probe(slot.key) = slot;
    }
  }

  uint64_t bytes_;
  std::vector<uint64_t> come_in_;  // bytes, by SM
  std::vector<Slot> slots_;
  size_t used_ = 0;
  uint32_t epoch_ = 1;
};

// What passes through one level at so many bytes a cycle.
class Pipe {
 public:
  explicit Pipe(double rate) : rate_(rate) {}
  void Clear() { free_ = 0; }
  // When the last of `bytes` that come at `now` is through.
  double Pass(double now, double bytes) {
    free_ = std::max(free_, now) + bytes / rate_;
    return free_;
  }

 private:
  double rate_;
  double free_ = 0;
};

}  // namespace

class TrafficModel::State {
 public:
  State(const TouchPlan& plan, const ModelMachine& machine)
      : plan_(plan),
        machine_(machine),
        l1s_(machine.shape.sms, machine.l1_bytes),
        l2_(plan.atom_bytes, machine.l2_bytes),
        l2_pipe_(machine.l2_rate),
        dram_pipe_(machine.dram_rate),
        remote_pipe_(machine.remote_rate),
        sm_free_(machine.shape.sms, 0) {
    if (machine.nodes > 1 && machine.caches_remote) {
      for (uint32_t n = 0; n < machine.nodes; ++n) {
        nodes_.emplace_back(plan.atom_bytes, machine.l2_bytes / machine.nodes);
      }
    }
    by_address_.resize(machine.warm ? plan.atom_bytes.size() : 0);
    std::iota(by_address_.begin(), by_address_.end(), 0);
    std::sort(by_address_.begin(), by_address_.end(),
              [&](uint32_t a, uint32_t b) { return plan.atom_address[a] < plan.atom_address[b]; });
    groups_at_.resize(plan.steps);
    for (const TouchPlan::Group& group : plan.groups) {
      for (uint32_t s = 0; s < group.steps; ++s) groups_at_[group.first_step + s].push_back(&group);
    }
    double turns = 0;
    for (const uint32_t of_step : plan.turns) turns += of_step;
    issue_of_turn_ = machine.issue / std::max(1.0, turns);
    chain_of_turn_ = machine.chain / std::max(1.0, turns);
  }

  Traffic Run(std::span<const uint32_t> order, uint64_t of) {
    uint64_t started = 0;
    const uint64_t tbs = order.size();
    RunDealt([&](uint32_t) { return started == tbs ? kNoTb : order[started++]; },
             [](uint32_t slot) { return slot; });  // the hardware starts one in a cycle
    const double share = of == 0 ? 1 : static_cast<double>(of) / static_cast<double>(tbs);
    for (double* figure : {&traffic_.l2_reads, &traffic_.l2_writes, &traffic_.dram_reads,
                           &traffic_.dram_writes, &traffic_.remote, &traffic_.cycles}) {
      *figure *= share;
    }
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
    RunDealt(next, [&](uint32_t slot) {
      return hand_out.first + hand_out.per_group * (slot % sms) + hand_out.per_tb * (slot / sms);
    });
    return traffic_;
  }

 private:
  static constexpr uint32_t kNoTb = ~uint32_t{0};
  struct Running {
    uint32_t tb = 0, step = 0, sm = 0;
  };
  struct Next {
    double time = 0;
    uint32_t slot = 0;
    // The earliest is the largest, as heaps have it.
    bool operator<(const Next& other) const {
      return time != other.time ? time > other.time : slot > other.slot;
    }
  };

  // next(sm): the TB that the SM starts, or kNoTb when there is none for it; start(slot): when the
  // first one of a slot starts.
  template <class NextTb, class Start>
  void RunDealt(NextTb next_tb, Start start) {
    Clear();
    const uint32_t sms = machine_.shape.sms;
    const uint32_t window = machine_.shape.Window();
    std::vector<Running> running(std::min(window, plan_.tbs));
    std::vector<Next> heap;
    heap.reserve(running.size());
    for (uint32_t slot = 0; slot < window; ++slot) {
      const uint32_t tb = next_tb(slot % sms);
      if (tb == kNoTb) continue;
      const auto at = static_cast<uint32_t>(heap.size());
      running[at] = {tb, 0, slot % sms};
      heap.push_back({static_cast<double>(start(slot)), at});
    }
    std::make_heap(heap.begin(), heap.end());
    double end = 0;
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      Next next = heap.back();
      heap.pop_back();
      Running& tb = running[next.slot];
      next.time = Step(tb, next.time);
      end = std::max(end, next.time);
      if (++tb.step == plan_.steps) {
        const uint32_t started = next_tb(tb.sm);
        if (started == kNoTb) continue;
        tb = {started, 0, tb.sm};
      }
      heap.push_back(next);
      std::push_heap(heap.begin(), heap.end());
    }
    traffic_.cycles = end;
  }

  void Clear() {
    traffic_ = {};
    l1s_.Clear();
    l2_.Clear();
    for (LruStack& node : nodes_) node.Clear();
    for (Pipe* pipe : {&l2_pipe_, &dram_pipe_, &remote_pipe_}) pipe->Clear();
    std::fill(sm_free_.begin(), sm_free_.end(), 0);
    // Copies into device memory went through the L2, one buffer after the other.
    for (const uint32_t atom : by_address_) l2_.Touch(atom, false, [](uint32_t) {});
  }

  // When the TB's step that begins at `now` is over.
  double Step(const Running& tb, double now) {
    const double turns = plan_.turns[tb.step];
    double& sm_free = sm_free_[tb.sm];
    sm_free = std::max(sm_free, now) + issue_of_turn_ * turns;
    double bytes = 0, l2_bytes = 0, dram_bytes = 0;
    double arrives = 0;
    for (const TouchPlan::Group* group : groups_at_[tb.step]) {
      const uint32_t piece = group->piece_of[tb.tb];
      if (piece == TouchPlan::kNoPiece) continue;
      for (const uint32_t atom : plan_.AtomsOf(piece, tb.step - group->first_step)) {
        const uint32_t size = plan_.atom_bytes[atom];
        if (group->is_store) {
          if (machine_.stores_evict && !plan_.atom_once[atom]) l1s_.Drop(tb.sm, atom);
          traffic_.l2_writes += size;
          l2_pipe_.Pass(now, size);
          InL2(tb.sm, atom, true, now);
          continue;
        }
        bytes += size;
        if (plan_.atom_once[atom]) {
          l1s_.Pass(tb.sm, size);
        } else if (l1s_.Touch(tb.sm, atom, size)) {
          continue;
        }
        traffic_.l2_reads += size;
        l2_bytes += size;
        const double there = l2_pipe_.Pass(now, size);
        const double from_dram = InL2(tb.sm, atom, false, there);
        if (from_dram > 0) dram_bytes += size;
        arrives = std::max({arrives, there, from_dram});
      }
    }
    double end = now + turns * chain_of_turn_;
    if (bytes > 0) {
      // Of the turns, as many wait for a level as there are data from it.
      end =
          std::max(end, arrives) + turns * machine_.l1_latency +
          std::max(1.0, turns * l2_bytes / bytes) * (l2_bytes > 0 ? machine_.l2_latency : 0) +
          std::max(1.0, turns * dram_bytes / bytes) * (dram_bytes > 0 ? machine_.dram_latency : 0);
    }
    return std::max(end, sm_free);
  }

  // An access of the L2; when its data have come from DRAM, or 0 if they need not.
  double InL2(uint32_t sm, uint32_t atom, bool writes, double now) {
    const double size = plan_.atom_bytes[atom];
    if (machine_.nodes > 1) {
      const bool near = !nodes_.empty() && !writes &&
                        nodes_[sm % machine_.nodes].Touch(atom, false, [](uint32_t) {});
      if (near) return 0;
      const double away = size * (machine_.nodes - 1) / machine_.nodes;
      traffic_.remote += away;
      now = remote_pipe_.Pass(now, away);
    }
    const bool hit = l2_.Touch(atom, writes, [&](uint32_t out) {
      traffic_.dram_writes += plan_.atom_bytes[out];
      dram_pipe_.Pass(now, plan_.atom_bytes[out]);
    });
    if (hit || writes) return 0;
    traffic_.dram_reads += size;
    return dram_pipe_.Pass(now, size);
  }

  const TouchPlan& plan_;
  const ModelMachine machine_;
  Traffic traffic_;
  L1s l1s_;
  LruStack l2_;
  std::deque<LruStack> nodes_;
  Pipe l2_pipe_, dram_pipe_, remote_pipe_;
  std::vector<double> sm_free_;
  std::vector<uint32_t> by_address_;                             // of a warm L2
  std::vector<std::vector<const TouchPlan::Group*>> groups_at_;  // by step
  double issue_of_turn_ = 0, chain_of_turn_ = 0;
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
