#include "app/flow/studies/order_study.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "app/flow/studies/predicted_launches.h"
#include "app/flow/studies/tile_launches.h"
#include "app/order/candidates.h"
#include "base/stopwatch.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

bool IsHardwares(const OrderCandidate& candidate) { return candidate.order.name == "identity"; }

// By score; identity stands before those that gain no more than the margin.
void Rank(OrderLevel level, std::span<OrderCandidate> candidates) {
  const Replayed identity =
      std::find_if(candidates.begin(), candidates.end(), IsHardwares)->predicted;
  const auto place = [&](const OrderCandidate& candidate) {
    return IsHardwares(candidate) ? kScoreOfIdentity : Score(candidate.predicted, identity, level);
  };
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [&](const OrderCandidate& a, const OrderCandidate& b) { return place(a) < place(b); });
}

// The TB orders that are asked for, beside identity, or else the candidates.
std::vector<TbOrder> OrdersOf(const OrderRequest& request, const std::vector<Dim3>& grids,
                              const std::vector<OrderMachine>& shapes, OrderStudy* study) {
  std::vector<TbOrder> orders;
  if (request.orders.empty()) {
    orders = CandidateOrders(grids, shapes);
  } else {
    orders.emplace_back();
    for (const std::string& name : request.orders) {
      if (name == "identity") continue;
      orders.push_back(ParseTbOrder(name));
      if (IsIdentity(orders.back(), grids, shapes)) study->same_as_identity.push_back(name);
    }
  }
  if (!request.groups) return orders;
  std::vector<std::string> names = {"rb", "traffic"};
  if (request.options.machine.sm.tb_dealing == TbDealing::kInTurn) {
    names.insert(names.end(), {"rb+wave", "traffic+wave"});
  }
  for (const std::string& name : names) {
    const bool asked = std::any_of(orders.begin(), orders.end(),
                                   [&](const TbOrder& order) { return order.name == name; });
    if (!asked) orders.push_back(ParseTbOrder(name));
  }
  return orders;
}

// Gives orders by length their TBs. Where some TBs do more than others, one is a candidate.
void FindLongest(const OrderRequest& request, const PredictedLaunches& launches,
                 const std::vector<Dim3>& grids, std::vector<TbOrder>* orders, OrderStudy* study) {
  const auto is_by_length = [](const TbOrder& order) {
    return order.base == TbOrder::Base::kLongest;
  };
  const bool asked = std::any_of(orders->begin(), orders->end(), is_by_length);
  if (!asked && !request.orders.empty()) return;
  std::vector<TbOrder::Grouped> found;
  for (size_t i = 0; i < grids.size(); ++i) {
    std::vector<uint32_t> tbs = launches.LongestFirst(i);
    if (!tbs.empty()) found.push_back({grids[i], std::move(tbs)});
  }
  if (!asked && !found.empty()) orders->push_back(ParseTbOrder("longest"));
  for (TbOrder& order : *orders) {
    if (!is_by_length(order)) continue;
    order.groups = found;
    if (found.empty()) study->same_as_identity.push_back(order.name);
  }
}

// Steps that are looked at in each launch: first under all orders together, of which each of a few
// has no more than it would among sixteen; then under each of those that rank first.
constexpr uint64_t kStepsOfAll = 10'000'000, kStepsOfFinalist = 4'000'000;
constexpr size_t kFinalists = 6, kFewest = 16;

}  // namespace

const OrderCandidate& OrderStudy::Identity() const {
  return *std::find_if(candidates.begin(), candidates.end(), IsHardwares);
}

std::vector<int> OrderStudy::Unseen() const {
  if (candidates.front().simulated) return {};
  std::set<int> lines;
  for (const OrderedLaunch& launch : launches) {
    for (const SkippedLoad& load : launch.skipped) lines.insert(load.line);
  }
  return {lines.begin(), lines.end()};
}

OrderStudy PredictOrders(const OrderRequest& request, const Workload& workload) {
  Stopwatch watch;
  const RunOptions& options = request.options;
  const MachineConfig& machine = options.machine;
  OrderStudy study;
  study.workload = workload.name;
  study.machine = machine.name;
  BoundWorkload bound = options.known_data ? Bind(workload) : BindAddresses(workload);
  const TileLaunches tiles(workload, &bound);
  std::vector<Dim3> grids;
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    const KernelLaunch& launch = bound.launches[i];
    grids.push_back(launch.grid);
    OrderedLaunch& ordered = study.launches.emplace_back();
    ordered.entry = launch.kernel->name;
    ordered.grid = launch.grid;
    ordered.block = launch.block;
    ordered.runs = launch.kernel->refusals.empty();
    if (const TileLaunches::Looping* looping = tiles.Of(i)) {
      ordered.looping_tbs = looping->tbs;
      ordered.loop_line = looping->loop.line;
    }
  }
  PredictedLaunches launches(request, &bound, &study);
  std::vector<OrderMachine> shapes;
  for (const OrderedLaunch& launch : study.launches) shapes.push_back(launch.machine);
  std::vector<TbOrder> orders = OrdersOf(request, grids, shapes, &study);
  FindGroups(request, bound, &orders);
  FindLongest(request, launches, grids, &orders, &study);
  for (const TbOrder& order : orders) study.candidates.push_back({order, {}, {}, {}, {}});
  std::vector<OrderCandidate>& all = study.candidates;
  const size_t last = std::min(kFinalists, all.size());
  launches.Expect(all.size() + last);
  launches.Predict(kStepsOfAll / std::max(all.size(), kFewest), all);
  Rank(request.level, all);
  // Identity is one of the finalists, whatever its rank; so is its reverse, which a sample of TBs
  // that differ in length may not do justice.
  const auto finalists = all.begin() + static_cast<ptrdiff_t>(last);
  for (const char* name : {"reverse", "identity"}) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const OrderCandidate& candidate) {
      return candidate.order.name == name;
    });
    if (found != all.end() && found >= finalists) {
      std::rotate(all.begin() + 1, found, found + 1);
    }
  }
  launches.Predict(kStepsOfFinalist, {all.begin(), finalists});
  Rank(request.level, {all.begin(), finalists});
  study.predicted_advice = study.candidates.front().order.name;
  study.seconds = watch.Lap();
  return study;
}

}  // namespace flagstone
