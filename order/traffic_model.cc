#include "order/traffic_model.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "order/lru_stack.h"

namespace flagstone {
namespace {

// A touch that an L1 did not serve.
struct Request {
  uint32_t atom = 0;
  bool is_store = false;
};

// The L1s, one SM after the other. An atom is there until as much has come in since it was touched
// last as the L1 holds.
class L1Pass {
 public:
  L1Pass(const TouchPlan& plan, std::span<const uint32_t> order, const CacheLevels& levels,
         Traffic* traffic)
      : plan_(plan),
        order_(order),
        levels_(levels),
        traffic_(traffic),
        stamps_(plan.atom_bytes.size(), 0) {}

  // What SM `sm` asks of the L2: its requests, and where each step of each wave ends among them.
  void Run(uint32_t sm, std::vector<Request>& requests, std::vector<uint32_t>& ends) {
    const uint64_t window = levels_.machine.Window();
    now_ += levels_.l1_bytes + 1;  // what other SMs have touched is gone
    for (uint64_t wave = 0; wave < order_.size(); wave += window) {
      for (uint32_t step = 0; step < plan_.steps; ++step) {
        for (uint64_t i = wave + sm; i < std::min<uint64_t>(wave + window, order_.size());
             i += levels_.machine.sms) {
          Step(order_[i], step, requests);
        }
        ends.push_back(static_cast<uint32_t>(requests.size()));
      }
    }
  }

 private:
  void Step(uint32_t tb, uint32_t step, std::vector<Request>& requests) {
    for (const TouchPlan::Group& group : plan_.groups) {
      const uint32_t of_group = step - group.first_step;
      if (of_group >= group.steps) continue;
      const uint32_t piece = group.piece_of[tb];
      if (piece == TouchPlan::kNoPiece) continue;
      for (const uint32_t atom : plan_.AtomsOf(piece, of_group)) {
        const uint32_t bytes = plan_.atom_bytes[atom];
        if (group.is_store) {
          traffic_->l2_writes += bytes;
          requests.push_back({atom, true});
          continue;
        }
        traffic_->l1_reads += bytes;
        const bool hit = stamps_[atom] + levels_.l1_bytes > now_;
        stamps_[atom] = now_;
        if (hit) continue;
        now_ += bytes;
        stamps_[atom] = now_;
        traffic_->l2_reads += bytes;
        requests.push_back({atom, false});
      }
    }
  }

  const TouchPlan& plan_;
  std::span<const uint32_t> order_;
  const CacheLevels& levels_;
  Traffic* traffic_;
  uint64_t now_ = 0;              // bytes that have come in
  std::vector<uint64_t> stamps_;  // `now_` when touched last
};

class L2Pass {
 public:
  L2Pass(const TouchPlan& plan, const CacheLevels& levels, Traffic* traffic)
      : plan_(plan), levels_(levels), traffic_(traffic), whole_(plan.atom_bytes, levels.l2_bytes) {
    if (levels.nodes > 1 && levels.caches_remote) {
      for (uint32_t n = 0; n < levels.nodes; ++n) {
        nodes_.emplace_back(plan.atom_bytes, levels.l2_bytes / levels.nodes);
      }
    }
    if (levels.warm) Warm();
  }

  void Take(const Request& request, uint32_t node) {
    const double bytes = plan_.atom_bytes[request.atom];
    if (levels_.nodes > 1) {
      const bool near = !nodes_.empty() && !request.is_store &&
                        nodes_[node].Touch(request.atom, false, [](uint32_t) {});
      if (near) return;
      traffic_->remote += bytes * (levels_.nodes - 1) / levels_.nodes;
    }
    const bool hit = whole_.Touch(request.atom, request.is_store, [this](uint32_t out) {
      traffic_->dram_writes += plan_.atom_bytes[out];
    });
    if (!hit && !request.is_store) traffic_->dram_reads += bytes;
  }

 private:
  // Copies into device memory went through the L2, one buffer after the other.
  void Warm() {
    std::vector<uint32_t> atoms(plan_.atom_bytes.size());
    std::iota(atoms.begin(), atoms.end(), 0);
    std::sort(atoms.begin(), atoms.end(), [this](uint32_t a, uint32_t b) {
      return plan_.atom_address[a] < plan_.atom_address[b];
    });
    for (const uint32_t atom : atoms) whole_.Touch(atom, false, [](uint32_t) {});
  }

  const TouchPlan& plan_;
  const CacheLevels& levels_;
  Traffic* traffic_;
  LruStack whole_;
  std::deque<LruStack> nodes_;
};

}  // namespace

Traffic PredictTraffic(const TouchPlan& plan, std::span<const uint32_t> order,
                       const CacheLevels& levels) {
  Traffic traffic;
  const uint32_t sms = levels.machine.sms;
  L1Pass l1(plan, order, levels, &traffic);
  std::vector<std::vector<Request>> requests(sms);
  std::vector<std::vector<uint32_t>> ends(sms);
  for (uint32_t sm = 0; sm < sms; ++sm) l1.Run(sm, requests[sm], ends[sm]);
  L2Pass l2(plan, levels, &traffic);
  std::vector<uint32_t> at(sms, 0);
  for (size_t step = 0; step < ends.front().size(); ++step) {
    for (uint32_t sm = 0; sm < sms; ++sm) {
      const uint32_t node = sm % levels.nodes;
      for (; at[sm] < ends[sm][step]; ++at[sm]) l2.Take(requests[sm][at[sm]], node);
    }
  }
  return traffic;
}

}  // namespace flagstone
