// The table of TB scheduling policies: the one place where a policy's name, dispatcher and
// partitioner meet.
#ifndef FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_
#define FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/partition/tb_groups.h"
#include "gpu_model/blocks/tb_scheduler/dispatcher.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

namespace flagstone {

// What a partitioner goes by.
struct PartitionInput {
  Dim3 grid;
  const SharerSets* sharers = nullptr;
  const LocalityGraph* graph = nullptr;                // for policies that need it
  CtaDirection direction = CtaDirection::kRoundRobin;  // likewise
};

using PartitionFunction = TbGroups (*)(const PartitionInput&, const PartitionRequest&);
using SettingsFunction = TbSettings (*)(const TbLaunchShape&);

struct Policy {
  std::string_view name;        // as `--policy` takes it
  std::string_view summary;     // one line, as `list policies` prints it
  Dispatcher dispatcher;        // the hardware that hands TBs to SMs
  PartitionFunction partition;  // null: the policy needs neither analysis nor groups
  bool needs_graph = false;
  bool needs_direction = false;         // of AnalyzeCtaMapping
  SettingsFunction settings = nullptr;  // null: the dispatcher has no registers
};

// All policies, in the order in which they are listed.
std::span<const Policy> Policies();

// Throws kBadInput, with the known names, for any other name.
const Policy& FindPolicy(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PARTITION_POLICIES_H_
