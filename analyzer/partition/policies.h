// The table of TB scheduling policies: the one place where a policy's name, dispatcher and
// partitioner meet.
#ifndef FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_
#define FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/partition/tb_groups.h"

namespace flagstone {

// The hardware that hands TBs to SMs.
enum class DispatcherKind : uint8_t {
  kLrr,    // loose round-robin over SMs, TBs in the order of their ids
  kPaver,  // group queue in memory, per-SM registers, task stealer
};
std::string_view ToString(DispatcherKind dispatcher);

// What a partitioner goes by.
struct PartitionInput {
  Dim3 grid;
  const SharerSets* sharers = nullptr;
  const LocalityGraph* graph = nullptr;                // for policies that need it
  CtaDirection direction = CtaDirection::kRoundRobin;  // likewise
};

using PartitionFunction = TbGroups (*)(const PartitionInput&, const PartitionRequest&);

struct Policy {
  std::string_view name;     // as `--policy` takes it
  std::string_view summary;  // one line, as `list policies` prints it
  DispatcherKind dispatcher;
  PartitionFunction partition;  // null: the policy needs neither analysis nor groups
  bool needs_graph = false;
  bool needs_direction = false;  // of AnalyzeCtaMapping
};

// All policies, in the order in which they are listed.
std::span<const Policy> Policies();

// Throws kBadInput, with the known names, for any other name.
const Policy& FindPolicy(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_
