#include "app/order/ranking.h"

#include <algorithm>
#include <cmath>

namespace flagstone {
namespace {

// Gains that are below these are not worth a change: the model is not that exact, and orders that
// move the same data differ by some per cent in simulated time, as TBs fall in and out of step.
constexpr double kTimeTie = 0.08, kDramTie = 0.08;
// A kernel that waits for the DRAM loses by other orders what few data less do not make up for,
// probably rows of DRAM that identity reads from end to end (measured on an H100: conv2d and
// stencil take up to 1.35 times as long for the same data, docs/orders.md).
constexpr double kRowsTie = 0.12;
// Beside time, an order is worth the data that it saves, which cost energy and others' bandwidth,
// where they are more than some MiB: the less, the less of the time the DRAM is busy.
constexpr double kWorthOfDram = 0.25, kFewBytes = 8 << 20;

// Relative to identity's.
double Share(double value, double identity) { return identity > 0 ? value / identity : 1; }
double WithTies(double share, double tie) { return std::abs(share - 1) < tie ? 1 : share; }
// A predicted loss may be much larger when simulated: it is never a tie.
double WithoutSmallGains(double share, double tie) {
  return share > 1 ? share : WithTies(share, tie);
}

// How much of the time under identity a level may decide.
double Weight(const Prediction& identity, Level level) {
  const double bound = identity.bounds.of[static_cast<size_t>(level)];
  return std::min(1.0, 2 * bound / std::max(identity.cycles, 1.0));
}

// What the data that an order saves at a level can save of the time: no more than their share of
// it.
double Possible(double saved, const Prediction& identity, Level level) {
  return saved * Weight(identity, level);
}

// No part of the machine lets an order take less than it needs the part.
double Least(const Prediction& order) {
  return std::max(order.cycles, *std::max_element(order.bounds.of.begin(), order.bounds.of.end()));
}

// The time of an order, relative to identity's. Who waits for whom in the model may be chance: a
// gain counts as far as the data that are saved explain it.
double CredibleTime(const Prediction& order, const Prediction& identity) {
  const double gain = 1 - Share(Least(order), Least(identity));
  const auto saved = [](double value, double base) {
    return std::max(0.0, 1 - Share(value, base));
  };
  const double explained = std::max(
      {Possible(saved(order.traffic.L2(), identity.traffic.L2()), identity, Level::kL2),
       Possible(saved(order.traffic.Dram(), identity.traffic.Dram()), identity, Level::kDram),
       Possible(saved(order.traffic.remote, identity.traffic.remote), identity, Level::kRemote),
       (identity.traffic.uneven - order.traffic.uneven) / std::max(identity.cycles, 1.0)});
  return 1 - std::min(gain, explained);
}

}  // namespace

Prediction& Prediction::operator+=(const Prediction& other) {
  traffic.l2_reads += other.traffic.l2_reads;
  traffic.l2_writes += other.traffic.l2_writes;
  traffic.dram_reads += other.traffic.dram_reads;
  traffic.dram_writes += other.traffic.dram_writes;
  traffic.remote += other.traffic.remote;
  traffic.uneven += other.traffic.uneven;
  for (size_t i = 0; i < bounds.of.size(); ++i) bounds.of[i] += other.bounds.of[i];
  cycles += other.cycles;
  return *this;
}

double Score(const Prediction& order, const Prediction& identity, OrderLevel level) {
  const double l2 = Share(order.traffic.L2(), identity.traffic.L2());
  const double dram = Share(order.traffic.Dram(), identity.traffic.Dram());
  const double time = CredibleTime(order, identity);
  if (level == OrderLevel::kL1) return l2;
  if (level == OrderLevel::kL2) return dram;
  const bool few = std::abs(identity.traffic.Dram() - order.traffic.Dram()) < kFewBytes;
  const double waits = Weight(identity, Level::kDram);
  const double sure_dram = few ? 1 : WithTies(dram, kDramTie + kRowsTie * waits);
  const double worth = kWorthOfDram * waits;
  const double sure = (WithoutSmallGains(time, kTimeTie) + worth * sure_dram) / (1 + worth);
  return sure + kOrderOfTies * (time + dram + l2 - 3);
}

}  // namespace flagstone
