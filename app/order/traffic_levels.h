// What moves below the L1s when TBs load and store, and when it is there: the ports, slices and
// stack of the L2, DRAM, and the links between nodes. Times in core cycles. Internal to this
// folder.
#ifndef FLAGSTONE_APP_ORDER_TRAFFIC_LEVELS_H_
#define FLAGSTONE_APP_ORDER_TRAFFIC_LEVELS_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "app/order/lru_stack.h"
#include "app/order/traffic_model.h"

namespace flagstone::order {

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

// The plan must outlive it.
class TrafficLevels {
 public:
  TrafficLevels(const TouchPlan& plan, const ModelMachine& machine)
      : plan_(plan),
        machine_(machine),
        l2_(SizesOf(plan), machine.l2_bytes),
        begin_l2_(l2_),
        l2_pipe_(machine.l2_rate),
        dram_pipe_(machine.dram_rate),
        remote_pipe_(machine.remote_rate),
        read_ports_(machine.shape.sms / machine.sms_per_port + 1,
                    TrafficPipe(machine.read_port_rate)),
        write_ports_(read_ports_.size(), TrafficPipe(machine.write_port_rate)),
        held_ports_(write_ports_),
        slice_pipes_(machine.slices, TrafficPipe(machine.slice_rate)),
        channel_pipes_(machine.channels, TrafficPipe(machine.channel_rate)) {
    if (machine.nodes > 1 && machine.caches_remote) {
      for (uint32_t n = 0; n < machine.nodes; ++n) {
        nodes_.emplace_back(SizesOf(plan), machine.l2_bytes / machine.nodes);
      }
    }
    if (machine.warm) WarmL2();
    begin_l2_ = l2_;
    for (uint32_t sm = 0; sm < machine.shape.sms; ++sm) {
      port_of_sm_.push_back(sm / machine.sms_per_port);
    }
    for (uint32_t slice = 0; slice < machine.slices; ++slice) {
      channel_of_slice_.push_back(slice * machine.channels / machine.slices);
    }
  }

  // As before the launch.
  void Clear() {
    moved_ = {};
    l2_ = begin_l2_;
    for (LruStack& node : nodes_) node.Clear();
    for (TrafficPipe* pipe : {&l2_pipe_, &dram_pipe_, &remote_pipe_}) pipe->Clear();
    for (auto* pipes :
         {&read_ports_, &write_ports_, &held_ports_, &slice_pipes_, &channel_pipes_}) {
      for (TrafficPipe& pipe : *pipes) pipe.Clear();
    }
  }

  // The bytes, since it was cleared.
  const Traffic& moved() const { return moved_; }
  // Written, and not yet in DRAM.
  uint64_t DirtyBytes() const { return l2_.DirtyBytes(); }

  // An SM loads so many bytes of an atom; `dram_bytes` grows by those that come from DRAM.
  Arrival Load(uint32_t sm, uint32_t atom, double bytes, double now, double* dram_bytes) {
    moved_.l2_reads += bytes;
    Arrival there = ThroughL2(read_ports_[port_of_sm_[sm]], atom, bytes, now);
    if (FindInNode(sm, atom, false, bytes, &there)) return there;
    Arrival leaves;
    if (TouchL2(atom, false, there, &leaves)) return there;
    const double once = std::min<double>(bytes, plan_.atoms[atom].bytes);
    moved_.dram_reads += once;
    *dram_bytes += once;
    return ThroughDram(atom, once, there);
  }

  // A store waits where what has to leave the L2 for it does.
  Arrival Store(uint32_t sm, uint32_t atom, double bytes, double now) {
    moved_.l2_writes += bytes;
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

 private:
  static std::vector<uint32_t> SizesOf(const TouchPlan& plan) {
    std::vector<uint32_t> bytes;
    bytes.reserve(plan.atoms.size());
    for (const TouchPlan::Atom& atom : plan.atoms) bytes.push_back(atom.bytes);
    return bytes;
  }
  // Copies into device memory went through the L2, one buffer after the other.
  void WarmL2() {
    std::vector<uint32_t> by_address;
    for (uint32_t atom = 0; atom < plan_.atoms.size(); ++atom) {
      if (plan_.atoms[atom].address >= machine_.warm_from) by_address.push_back(atom);
    }
    std::sort(by_address.begin(), by_address.end(), [&](uint32_t a, uint32_t b) {
      return plan_.atoms[a].address < plan_.atoms[b].address;
    });
    for (const uint32_t atom : by_address) l2_.Touch(atom, false, [](uint32_t) {});
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
    const TouchPlan::Atom& of = plan_.atoms[atom];
    const TouchPlan::InSlice* const in = plan_.slices.data() + of.in_slices;
    for (uint32_t i = 0; i < of.slice_count; ++i) visit(in[i].slice, in[i].share);
  }

  // Whether the SM's own node has another one's data; else they come from there.
  bool FindInNode(uint32_t sm, uint32_t atom, bool writes, double bytes, Arrival* now) {
    if (machine_.nodes == 1) return false;
    const bool near = !nodes_.empty() && !writes &&
                      nodes_[sm % machine_.nodes].Touch(atom, false, [](uint32_t) {});
    if (near) return true;
    const double away = bytes * (machine_.nodes - 1) / machine_.nodes;
    moved_.remote += away;
    const double there = remote_pipe_.Pass(now->even, away);
    now->Await({there, there});
    return false;
  }

  // Whether the L2 has the atom, which it then holds; `leaves`: also when what it writes back for
  // that is out.
  bool TouchL2(uint32_t atom, bool writes, const Arrival& now, Arrival* leaves) {
    return l2_.Touch(atom, writes, [&](uint32_t out) {
      moved_.dram_writes += plan_.atoms[out].bytes;
      leaves->Await(ThroughDram(out, plan_.atoms[out].bytes, now));
    });
  }

  const TouchPlan& plan_;
  const ModelMachine machine_;
  Traffic moved_;
  LruStack l2_, begin_l2_;
  std::deque<LruStack> nodes_;
  TrafficPipe l2_pipe_, dram_pipe_, remote_pipe_;
  std::vector<TrafficPipe> read_ports_, write_ports_;  // by port of SMs
  std::vector<TrafficPipe> held_ports_;                // the latter, which slices hold up
  std::vector<TrafficPipe> slice_pipes_, channel_pipes_;
  std::vector<uint32_t> port_of_sm_, channel_of_slice_;
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_TRAFFIC_LEVELS_H_
