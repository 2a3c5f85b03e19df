#include "app/policy/policy.h"

#include "app/policy/parameters.h"

namespace flagstone {

uint32_t Policy::Value(std::string_view parameter) const {
  for (const PolicyParameter& each : parameters) {
    if (each.name == parameter) return each.value;
  }
  return 0;
}

StealRule Policy::Stealing() const {
  for (const PolicyParameter& each : parameters) {
    if (each.name == kSteal.name) return static_cast<StealRule>(each.value);
  }
  return StealRule::kWhenFree;
}

bool Policy::TimedWeights() const { return Value(kWeights.name) != 0; }

TbGroups Policy::Groups(const PartitionInput& input, const PartitionRequest& request) const {
  PartitionRequest asked = request;
  asked.leaves = static_cast<LeafCounts>(Value(kLeaves.name));
  asked.order = static_cast<LeafOrder>(Value(kOrder.name));
  PartitionInput from = input;
  from.file = file;
  TbGroups groups = partition(from, asked);
  if (Stealing() == StealRule::kOff) groups.steal_enable = false;
  return groups;
}

}  // namespace flagstone
