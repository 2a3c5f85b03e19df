// How good `flagstone order` is: kernels by machines, each order that ranks first beside the best
// of those that are simulated. For each case a line, then what the page of orders promises, and
// what is lost by each margin by which an order must be predicted to gain.
//   order_quality --help
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/flow/studies/order_study.h"
#include "app/results/result_store.h"
#include "app/results/store_place.h"
#include "base/error.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

struct Options {
  std::vector<std::string> machines = {"fermi", "volta", "h100"};
  std::vector<std::string> kernels = {"matmul",     "matmul_naive",   "matmul_tiled", "gemm",
                                      "gemm_tiled", "gemm_batched",   "gemm_split_k", "attention",
                                      "layer_norm", "transpose",      "stencil",      "hotspot",
                                      "conv2d",     "conv_separable", "laplace3d",    "hotspot3d",
                                      "syrk",       "syr2k",          "backprop",     "demosaic"};
  std::string size = "medium";
  size_t orders = 6;
  size_t jobs = 2;
  std::string store;
};

void Warn(const std::string& line) { fmt::print(stderr, "warning: {}\n", line); }

// Adds the options to `app`; they have their values once it has parsed.
void AddTo(CLI::App* app, Options* options) {
  app->option_defaults()->always_capture_default();
  app->add_option("--machines", options->machines, "names")->delimiter(',');
  app->add_option("--kernels", options->kernels, "workloads")->delimiter(',');
  app->add_option("--size", options->size, "of the workloads");
  app->add_option("--orders", options->orders,
                  "simulated of each case: the first two, identity, and others evenly from the "
                  "rest of the rank; 0: all of them, which takes hours");
  app->add_option("--jobs", options->jobs, "simulations at once");
  app->add_option("--store", options->store, "folder of results to use and to add to");
}

// The names that are simulated beside identity.
std::vector<std::string> Chosen(const OrderStudy& study, size_t count) {
  std::vector<std::string> names;
  const size_t all = study.candidates.size();
  for (size_t k = 0; k < std::min(all, count); ++k) {
    const size_t i = k < 2 || all <= count ? k : 2 + (k - 1) * (all - 3) / (count - 2);
    names.push_back(study.candidates[std::min(i, all - 1)].order.name);
  }
  return names;
}

constexpr double kSlower = 1.02;  // than identity

struct Totals {
  size_t cases = 0, near_best = 0, slower = 0, ranked = 0;
  double correlation = 0;
  // Of each case, of each order that was simulated: its predicted and its simulated time, of
  // identity's.
  struct Order {
    double predicted = 1, simulated = 1;
  };
  std::vector<std::vector<Order>> times;

  // The longest simulated time of an order that is taken because it is predicted to gain more.
  double Worst(double margin) const {
    double worst = 1;
    for (const std::vector<Order>& orders : times) {
      const auto first = std::min_element(
          orders.begin(), orders.end(),
          [](const Order& a, const Order& b) { return a.predicted < b.predicted; });
      if (first->predicted < 1 - margin) worst = std::max(worst, first->simulated);
    }
    return worst;
  }
};

void Study(const Options& options, const std::string& kernel, const std::string& machine,
           Totals* totals) {
  const Workload workload = Workload::Load(FindWorkload(kernel), options.size);
  OrderRequest request;
  request.options.machine = ScaleToWorkload(MachineConfig::Load(machine, {}), workload);
  request.options.engine = Engine::kModel;
  std::optional<ResultStore> store;
  if (const auto place = StorePlace(options.store)) store.emplace(*place, Warn);
  request.store.store = store ? &*store : nullptr;
  request.store.say = Warn;
  OrderStudy study = PredictOrders(request, workload);
  const std::string advised = study.candidates.front().order.name;
  const double seconds = study.seconds;
  if (options.orders != 0) {
    request.orders = Chosen(study, options.orders);
    study = PredictOrders(request, workload);
  }
  SimulateOrders(
      request, workload, 0, options.jobs, [](size_t, size_t) {}, &study);
  uint64_t best = UINT64_MAX, most_l2 = 0, least_l2 = UINT64_MAX, taken = 0;
  std::string best_name;
  for (const OrderCandidate& candidate : study.candidates) {
    if (candidate.order.name == advised) taken = candidate.simulated->cycles;
    most_l2 = std::max(most_l2, candidate.simulated->l2_bytes);
    least_l2 = std::min(least_l2, candidate.simulated->l2_bytes);
    if (candidate.simulated->cycles >= best) continue;
    best = candidate.simulated->cycles;
    best_name = candidate.order.name;
  }
  const uint64_t identity = study.Identity().simulated->cycles;
  std::vector<Totals::Order>& times = totals->times.emplace_back();
  for (const OrderCandidate& candidate : study.candidates) {
    const auto cycles = static_cast<double>(candidate.simulated->cycles);
    times.push_back({candidate.predicted.cycles / study.Identity().predicted.cycles,
                     cycles / static_cast<double>(identity)});
  }
  const double to_best = static_cast<double>(taken) / static_cast<double>(best);
  const double to_identity = static_cast<double>(taken) / static_cast<double>(identity);
  const bool differ = static_cast<double>(most_l2) > 1.01 * static_cast<double>(least_l2);
  ++totals->cases;
  totals->near_best += to_best <= 1.03 ? 1 : 0;
  totals->slower += to_identity > kSlower ? 1 : 0;
  if (differ && study.l2_correlation) {
    ++totals->ranked;
    totals->correlation += *study.l2_correlation;
  }
  fmt::print(
      "{:<15} {:<8} {:<14} {:.3f} of identity, {:.3f} of {:<14} L2 rank {} ({} orders, {:.0f} "
      "ms)\n",
      kernel, machine, advised, to_identity, to_best, best_name,
      differ && study.l2_correlation ? fmt::format("{:5.2f}", *study.l2_correlation) : "alike",
      study.candidates.size(), 1e3 * seconds);
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Simulates orders of kernels' TBs, and tells how often the one that `flagstone order` ranks "
      "first is among the best");
  Options options;
  AddTo(&app, &options);
  CLI11_PARSE(app, argc, argv);
  Totals totals;
  for (const std::string& kernel : options.kernels) {
    for (const std::string& machine : options.machines) {
      try {
        Study(options, kernel, machine, &totals);
      } catch (const Error& error) {
        fmt::print("{:<15} {:<8} {}\n", kernel, machine, error.what());
      }
    }
  }
  fmt::print(
      "{} cases: within 3 % of the best in {:.1f} %, more than 2 % slower than identity in {}, "
      "mean "
      "rank correlation of L2 traffic {:.3f} over {}\n",
      totals.cases,
      100.0 * static_cast<double>(totals.near_best) /
          static_cast<double>(std::max<size_t>(totals.cases, 1)),
      totals.slower, totals.correlation / static_cast<double>(std::max<size_t>(totals.ranked, 1)),
      totals.ranked);
  for (const int margin : {0, 1, 2, 3, 5, 8, 12}) {
    fmt::print("with a margin of {} % the slowest order that is taken takes {:.3f} of identity\n",
               margin, totals.Worst(margin / 100.0));
  }
  return 0;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) { return flagstone::Main(argc, argv); }
