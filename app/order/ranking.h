// What an order is worth, by what is predicted of it and of identity.
#ifndef FLAGSTONE_APP_ORDER_RANKING_H_
#define FLAGSTONE_APP_ORDER_RANKING_H_

#include <cstdint>

#include "analyzer/replay/margin.h"
#include "analyzer/replay/replayed.h"

namespace flagstone {

// What decides the rank: data between L1s and L2, between L2 and DRAM, or time.
enum class OrderLevel : uint8_t { kBoth, kL1, kL2 };

// Relative to identity; low is good.
double Score(const Replayed& order, const Replayed& identity, OrderLevel level);
// Identity's, which stands before orders that gain less than the margin.
inline constexpr double kScoreOfIdentity = 1 - replay::kMargin;

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_RANKING_H_
