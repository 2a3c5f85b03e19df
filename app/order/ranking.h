// What an order is worth, by what is predicted of it and of identity.
#ifndef FLAGSTONE_APP_ORDER_RANKING_H_
#define FLAGSTONE_APP_ORDER_RANKING_H_

#include <cstdint>

#include "app/order/bounds.h"
#include "app/order/traffic_model.h"

namespace flagstone {

// What decides the rank: data between L1s and L2, between L2 and DRAM, or the time of all levels.
enum class OrderLevel : uint8_t { kBoth, kL1, kL2 };

struct Prediction {
  Traffic traffic;
  TimeBounds bounds;  // core cycles
  double cycles = 0;  // of the model; of several launches, their sum

  Prediction& operator+=(const Prediction& other);
};

// Low is good. Identity stands before orders that are as good but for what the model cannot tell.
double Score(const Prediction& order, const Prediction& identity, OrderLevel level);
inline constexpr double kOrderOfTies = 1e-3;  // by which a score may differ among these
inline constexpr double kScoreOfIdentity = 1 - 2 * kOrderOfTies;

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_RANKING_H_
