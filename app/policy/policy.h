// A TB scheduling policy: what it is made of, and what its parameters make of that.
#ifndef FLAGSTONE_APP_POLICY_POLICY_H_
#define FLAGSTONE_APP_POLICY_POLICY_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/cta_mapping/assignment.h"
#include "analyzer/partition/partitioners.h"
#include "analyzer/placement/placement.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

namespace flagstone {

// What a partitioner goes by.
struct PartitionInput {
  Dim3 grid;
  const SharerSets* sharers = nullptr;
  const LocalityGraph* graph = nullptr;                // of the sharers, for policies that need it
  CtaDirection direction = CtaDirection::kRoundRobin;  // likewise
  // For policies with a file, which Groups() fills in; the number of the launch is that among the
  // workload's launches.
  const KernelLaunch* launch = nullptr;
  uint64_t number = 0;
  std::string_view file = {};
};

// What the registers of a TB scheduler depend on, but for the launch.
struct SettingsInput {
  uint32_t parameter = 0;                              // the value of the policy's one
  uint32_t fitting_tbs = 0;                            // for policies that need it
  CtaDirection direction = CtaDirection::kRoundRobin;  // for policies that need it
};

using PartitionFunction = TbGroups (*)(const PartitionInput&, const PartitionRequest&);
using SettingsFunction = TbSettings (*)(const TbLaunchShape&, const SettingsInput&);

// A number that the user may choose, "swizzle:rows=4", or one of some words, "rb:steal=when-idle".
struct PolicyParameter {
  std::string_view name;
  uint32_t low = 0, high = 0;
  uint32_t value = 0;
  std::span<const std::string_view> words = {};  // word i stands for the value i
};

// Of a policy for several nodes; `parameter`: its value.
using NodePlanFunction = NodePlan (*)(const PlacementInput&, uint32_t parameter);

struct Policy {
  std::string_view name;                      // as `--policy` took it, with its parameters
  std::string_view summary;                   // one line, as `list policies` prints it
  const TbSchedulerDescriptor* tb_scheduler;  // the hardware that hands TBs to SMs
  // Groups for a queue in memory; those of the queues of several nodes are the plan's. Where the TB
  // scheduler goes by registers: the same TBs as groups, for the analysis to judge. Null: there are
  // none.
  PartitionFunction partition;
  bool needs_graph = false;
  bool needs_direction = false;  // of AnalyzeCtaMapping
  bool maps_ctas = false;        // TBs follow one another along a direction of the grid:
  CtaDirection direction = CtaDirection::kRoundRobin;  // this, unless needs_direction
  bool needs_fit = false;                              // of FindTbFit, where the parameter is 0
  SettingsFunction settings = nullptr;                 // null: the TB scheduler has no registers
  std::vector<PolicyParameter> parameters = {};
  NodePlanFunction plan = nullptr;  // for machines of several nodes, and for them alone
  bool needs_ladm = false;          // of AnalyzeLadm, for the plan
  bool needs_footprints = false;    // likewise, of loads and stores
  std::string_view file;            // a user's: "manual:FILE", "groups:FILE"
  bool takes_file = false;
  // A launch runs under another policy instead, chunk or lrr, where that is predicted to be better.
  bool may_fall_back = false;
  bool uses_seed = false;  // its groups depend on the partitioner's seed

  // The value of a parameter; 0 where the policy has none of this name.
  uint32_t Value(std::string_view parameter) const;
  // Of a policy with at most one parameter, whatever its name.
  uint32_t OnlyValue() const { return parameters.empty() ? 0 : parameters.front().value; }
  // Which SMs steal, where groups are stolen from.
  StealRule Stealing() const;
  // Whether what TBs share counts only where they use it at about the same time.
  bool TimedWeights() const;
  bool RunsGroups() const { return tb_scheduler->has_queue && plan == nullptr; }
  bool NeedsFit() const { return needs_fit && OnlyValue() == 0; }
  // What a run has to analyse for.
  bool NeedsAnalysis() const { return RunsGroups() || needs_direction || NeedsFit(); }
  // The groups of `partition`, under the policy's parameters.
  TbGroups Groups(const PartitionInput& input, const PartitionRequest& request) const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_POLICY_POLICY_H_
