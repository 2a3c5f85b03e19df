#include "app/order/ranking.h"

namespace flagstone {
namespace {

double Share(double value, double identity) { return identity > 0 ? value / identity : 1; }

}  // namespace

double Score(const Replayed& order, const Replayed& identity, OrderLevel level) {
  if (level == OrderLevel::kL1) return Share(order.L2(), identity.L2());
  if (level == OrderLevel::kL2) return Share(order.Dram(), identity.Dram());
  return Share(order.cycles, identity.cycles);
}

}  // namespace flagstone
