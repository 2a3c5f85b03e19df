// The rows of the policy table. A new policy is one row here.
#include "analyzer/partition/policies.h"

#include <array>
#include <string>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr std::array kPolicies = {
    Policy{"lrr", "loose round-robin over SMs, TBs in id order (the baseline)",
           DispatcherKind::kLrr, nullptr},
    Policy{"mst", "maximum-spanning-tree order: one group per SM, then single TBs (PAVER, 4.1)",
           DispatcherKind::kPaver, PartitionByMst},
    Policy{"kway", "k-way partition: one part per SM, with task stealing (PAVER, 4.2)",
           DispatcherKind::kPaver, PartitionByKway},
    Policy{"rb", "recursive bisection down to what one SM holds, with task stealing (PAVER, 4.3)",
           DispatcherKind::kPaver, PartitionByRecursiveBisection},
};

}  // namespace

std::string_view ToString(DispatcherKind dispatcher) {
  switch (dispatcher) {
    case DispatcherKind::kLrr:
      return "lrr";
    case DispatcherKind::kPaver:
      return "paver";
  }
  return "?";
}

std::span<const Policy> Policies() { return kPolicies; }

const Policy& FindPolicy(std::string_view name) {
  std::string known;
  for (const Policy& policy : kPolicies) {
    if (policy.name == name) return policy;
    if (!known.empty()) known += ' ';
    known += policy.name;
  }
  ThrowBadInput("policy '{}' is unknown, expected one of: {}", name, known);
}

}  // namespace flagstone
