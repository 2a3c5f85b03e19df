// The parameters that several policies have. A row of the table takes those that it obeys; Policy's
// functions find them by their names.
#ifndef FLAGSTONE_APP_POLICY_PARAMETERS_H_
#define FLAGSTONE_APP_POLICY_PARAMETERS_H_

#include <string_view>

#include "app/policy/policy.h"

namespace flagstone {

// The words of StealRule, in its order.
inline constexpr std::string_view kStealRules[] = {"never", "when-free", "never-first",
                                                   "when-idle"};
inline constexpr PolicyParameter kSteal = {"steal", 0, 1, 1, kStealRules};

// Of what TBs share: all of it, or what they use at about the same time.
inline constexpr std::string_view kWeightWords[] = {"plain", "timed"};
inline constexpr PolicyParameter kWeights = {"weights", 0, 1, 0, kWeightWords};
inline constexpr PolicyParameter kTimedWeights = {"weights", 0, 1, 1, kWeightWords};
// The words of LeafCounts and LeafOrder, in their order.
inline constexpr std::string_view kLeafCounts[] = {"fit", "even"};
inline constexpr std::string_view kLeafOrders[] = {"tree", "ids"};
inline constexpr PolicyParameter kLeaves = {"leaves", 0, 1, 0, kLeafCounts};
inline constexpr PolicyParameter kOrder = {"order", 0, 1, 0, kLeafOrders};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_POLICY_PARAMETERS_H_
