// What one launch of a run did.
#ifndef FLAGSTONE_APP_RESULTS_LAUNCH_RECORD_H_
#define FLAGSTONE_APP_RESULTS_LAUNCH_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/results/chip_parts.h"
#include "app/results/nodes_record.h"
#include "gpu_model/sm/load_log.h"
#include "gpu_model/sm/occupancy.h"
#include "gpu_model/sm/tb_log.h"
#include "gpu_model/stats/load_counts.h"
#include "gpu_model/stats/statistics.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// Sectors of 32 B that an ideal L1 would ask for, which is the bound on what grouping TBs can save:
// the TBs of a group share an L1 that holds all they read, and nothing outlives its group.
struct L1Fills {
  uint64_t groups = 0;  // under the policy's groups
  uint64_t lrr = 0;     // under loose round-robin, where the TBs that start together are a group
};

// What grouping TBs is predicted to save, by which policy `auto` runs groups or `lrr`.
struct GroupPrediction {
  enum class Reason : uint8_t { kGains, kGainsLittle, kUnseen };

  double lrr_cycles = 0, cycles = 0;      // of the kernel, under lrr and in the fastest groups
  double lrr_l2_bytes = 0, l2_bytes = 0;  // between L1s and L2
  std::string limit;                      // what is busy the longest under lrr
  Reason reason = Reason::kGainsLittle;
  std::string runs = "lrr";  // the policy
  std::string fastest;       // the policy of the fastest groups
};
constexpr std::string_view ToString(GroupPrediction::Reason reason) {
  using enum GroupPrediction::Reason;
  if (reason == kGains) return "groups save time";
  return reason == kUnseen ? "loads are left out, which may decide (--data known finds them)"
                           : "groups save too little time";
}

// TBs whose data an SM's L1 has room for.
struct TbFit {
  double bytes_of_tb = 0;  // that a TB reads, in the mean
  uint32_t tbs = 0;
};

// What the analysis before the launch found.
struct AnalysisSummary {
  uint64_t tbs = 0, edges = 0, parts = 0;
  double kept_weight = 0;
  double union_ratio = 1;
  std::optional<L1Fills> fills = {};
  std::optional<GroupPrediction> prediction = {};  // of policy auto
  std::optional<TbFit> fit = {};                   // of policy cache-fit:tbs=auto
};

// Where and when a TB ran.
struct PlacedTb {
  static constexpr uint32_t kNoGroup = ~uint32_t{0};

  uint64_t tb = 0;
  uint64_t from = 0;  // core cycles of the launch: the TB's first in the slot
  uint64_t to = 0;    // the one in which it ended, or in which the launch was interrupted
  uint32_t sm = 0;
  uint32_t slot = 0;          // of the SM's TB contexts
  uint32_t group = kNoGroup;  // index in LaunchDetail::groups
};

// What a load or atomic of the kernel did, on all SMs.
struct LoadOfLaunch {
  uint32_t pc = 0;
  uint32_t line = 0;  // of the PTX file
  LoadCounts counts;
};

// What grows with the launch or the chip, kept where RunOptions::detail asks for it.
struct LaunchDetail {
  std::vector<PlacedTb> tbs;  // SM by SM, in the order in which they began
  std::vector<StealEvent> steals;
  TbGroups groups;  // of the TB queue; none where the policy has none
  ChipParts parts;
  std::vector<LoadOfLaunch> loads;  // those that ran, by pc
};

// Of a launch under --sample, whose totals are estimates where some TBs were left out.
struct SampleRecord {
  uint64_t tbs = 0;              // simulated
  uint64_t waves = 0;            // whose time was taken
  double work_ratio = 1;         // instructions of a TB left out, over those of one in the waves
  std::string loop;              // whose iterations were left out, "a.ptx:57"; empty: TBs were
  uint64_t iterations = 0;       // simulated: ways of its warps back to the loop's header
  uint64_t all_iterations = 0;   // those of the whole launch
  LaunchStatistics half_widths;  // of the 95 % intervals around the totals
  std::string whole;             // why all TBs were simulated; empty: some were left out
};

struct LaunchRecord {
  std::string entry;
  Dim3 grid, block;
  bool executed = false;  // without timing, in a run that times others
  LaunchStatistics statistics;
  std::optional<Occupancy> occupancy;           // none where the launch is only executed
  std::optional<AnalysisSummary> analysis;      // none for policies that need none
  std::vector<LoadPrefetches> load_prefetches;  // by pc; without a prefetcher: empty
  std::optional<NodesRecord> nodes;             // where there are several
  std::optional<LaunchDetail> detail;
  std::optional<SampleRecord> sample;
  std::vector<LoadLog> load_logs;  // by SM, where RunOptions::load_logs asks for them
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_LAUNCH_RECORD_H_
