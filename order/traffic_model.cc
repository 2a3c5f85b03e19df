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

// Which L1 serves what, one SM after the other.
class L1Pass {
 public:
  L1Pass(const TouchPlan& plan, std::span<const uint32_t> order, const CacheLevels& levels)
      : plan_(plan), order_(order), levels_(levels), l1_(plan.atom_bytes, levels.l1_bytes) {}

  // What SM `sm` asks of the L2: its requests, and where each step of each wave ends among them.
  void Run(uint32_t sm, std::vector<Request>& requests, std::vector<uint32_t>& ends) {
    l1_.Clear();
    const uint64_t window = levels_.machine.Window();
    for (uint64_t wave = 0; wave < order_.size(); wave += window) {
      const uint64_t end = std::min<uint64_t>(wave + window, order_.size());
      for (uint32_t step = 0; step < plan_.steps; ++step) {
        for (uint64_t i = wave + sm; i < end; i += levels_.machine.sms) {
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
        if (group.is_store) {
          if (levels_.stores_evict) l1_.Drop(atom);
          requests.push_back({atom, true});
        } else if (levels_.l1_bytes == 0 || !l1_.Touch(atom, false, [](uint32_t) {})) {
          requests.push_back({atom, false});
        }
      }
    }
  }

  const TouchPlan& plan_;
  std::span<const uint32_t> order_;
  const CacheLevels& levels_;
  LruStack l1_;
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

// Bytes that SM `sm` reads of the L2.
double Reads(const TouchPlan& plan, const std::vector<Request>& requests) {
  double bytes = 0;
  for (const Request& request : requests) {
    if (!request.is_store) bytes += plan.atom_bytes[request.atom];
  }
  return bytes;
}

constexpr uint64_t kFineTouches = 100'000;  // of all the SMs that are looked at closely
constexpr uint32_t kCoarseSteps = 32, kFineSteps = 256;

}  // namespace

LaunchTouches FindTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                          uint32_t unit_bytes, const KnownAccesses* known) {
  TouchRequest request;
  request.unit_bytes = unit_bytes;
  request.known = known;
  request.most_steps = kCoarseSteps;
  LaunchTouches touches = {PlanTouches(addresses, launch, request), {}, 0};
  request.most_steps = kFineSteps;
  touches.fine = PlanTouches(addresses, launch, request);
  touches.fine_touches = touches.fine.Touches();
  return touches;
}

Traffic PredictTraffic(const LaunchTouches& touches, std::span<const uint32_t> order,
                       const CacheLevels& levels) {
  Traffic traffic;
  const TouchPlan& plan = touches.coarse;
  const uint32_t sms = levels.machine.sms;
  L1Pass l1(plan, order, levels);
  std::vector<std::vector<Request>> requests(sms);
  std::vector<std::vector<uint32_t>> ends(sms);
  for (uint32_t sm = 0; sm < sms; ++sm) {
    l1.Run(sm, requests[sm], ends[sm]);
    for (const Request& request : requests[sm]) {
      (request.is_store ? traffic.l2_writes : traffic.l2_reads) += plan.atom_bytes[request.atom];
    }
  }
  if (touches.fine.steps > plan.steps) {
    // SMs at even distances, as many as can be afforded.
    const uint64_t of_sm = touches.fine_touches / sms + 1;
    const auto looked_at = static_cast<uint32_t>(
        std::clamp<uint64_t>(kFineTouches / of_sm, 1, sms));
    L1Pass fine(touches.fine, order, levels);
    double coarse_reads = 0, fine_reads = 0;
    for (uint32_t i = 0; i < looked_at; ++i) {
      const uint32_t sm = static_cast<uint32_t>(uint64_t{i} * sms / looked_at);
      std::vector<Request> fine_requests;
      std::vector<uint32_t> fine_ends;
      fine.Run(sm, fine_requests, fine_ends);
      coarse_reads += Reads(plan, requests[sm]);
      fine_reads += Reads(touches.fine, fine_requests);
    }
    if (coarse_reads > 0) traffic.l2_reads *= fine_reads / coarse_reads;
  }
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
