// By how much less time an order, or groups, must be predicted to take than the hardware's order:
// what counts as equal in the evaluation too. `tests/benchmarks/order_quality` prints what is lost
// by other margins.
#ifndef FLAGSTONE_ANALYZER_REPLAY_MARGIN_H_
#define FLAGSTONE_ANALYZER_REPLAY_MARGIN_H_

namespace flagstone::replay {

inline constexpr double kMargin = 0.03;

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_MARGIN_H_
