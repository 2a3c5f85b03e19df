#include <bit>

#include "base/error.h"
#include "gpu_model/blocks/common/check_range.h"
#include "gpu_model/blocks/field_rows.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/group/group_warp_scheduler.h"

namespace flagstone {
namespace {

using In = WarpSchedulerIn;
using Out = WarpSchedulerOut;

constexpr std::string_view kGroupWarps = "group_warp_scheduler";

constexpr EventRule<In, Out> kGroupWarpsEvents = {[](const Out& out, const In& in, const In& last) {
                                                    return out.quiescent && !HasPulse(in) &&
                                                           in.eligible == last.eligible;
                                                  },
                                                  /*compares_last=*/true};

// A power of two that makes twelve units of them at most: a search among more takes too long.
uint32_t AgeSlots(uint32_t warps) { return std::bit_ceil((warps + 11) / 12); }

RtlParameters GroupWarpsParameters(const WarpSchedulerConfig& config) {
  if (config.group_window < 3 || !std::has_single_bit(config.group_window + 1)) {
    ThrowBadInput("{} with a window of {} loads: expected 3, 7, 15 or 31", kGroupWarps,
                  config.group_window);
  }
  return {{"NumWarps", config.num_warps},
          {"GroupWidth", kStartedNumberBits},
          {"CountWidth", static_cast<uint32_t>(std::bit_width(config.group_window))},
          {"AgeWidth", GroupWarpsConfig{}.age_bits},
          {"AgeSlots", AgeSlots(config.num_warps)},
          {"Patience", config.group_patience}};
}

WarpSchedulerType GroupWarpsType(const RtlParameters& parameters) {
  GroupWarpsConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "GroupWidth") config.group_bits = parameter.value;
    if (parameter.name == "CountWidth") config.count_bits = parameter.value;
    if (parameter.name == "AgeWidth") config.age_bits = parameter.value;
    if (parameter.name == "AgeSlots") config.age_slots = parameter.value;
    if (parameter.name == "Patience") config.patience = parameter.value;
  }
  CheckRange(kGroupWarps, "warps", config.num_warps, 2, kMaxWarps);
  CheckRange(kGroupWarps, "bits of a group", config.group_bits, 1, 8);
  CheckRange(kGroupWarps, "bits of a counter of loads", config.count_bits, 2, 5);
  CheckRange(kGroupWarps, "bits of a TB's number", config.age_bits, 1, 4);
  CheckRange(kGroupWarps, "slots of one age", config.age_slots, 1, 8);
  CheckRange(kGroupWarps, "issues between two turns", config.patience, 1, 1023);
  const uint32_t warps = config.num_warps;
  const auto index_bits = static_cast<uint32_t>(std::bit_width(warps - 1));
  return {
      .name = std::string(kGroupWarps),
      .parameters = {{"NumWarps", warps},
                     {"GroupWidth", config.group_bits},
                     {"CountWidth", config.count_bits},
                     {"AgeWidth", config.age_bits},
                     {"AgeSlots", config.age_slots},
                     {"Patience", config.patience}},
      .inputs = {Scalar<&In::eligible>("eligible", warps), Scalar<&In::started>("started", warps),
                 Scalar<&In::started_number>("started_group", config.group_bits),
                 Scalar<&In::finished>("finished", warps),
                 Scalar<&In::issued_valid>("issued_valid", 1),
                 Scalar<&In::issued_load>("issued_load", 1, "issued_valid")},
      .outputs = {Scalar<&Out::grant_valid>("grant_valid", 1),
                  Scalar<&Out::grant_warp>("grant_warp", index_bits, "grant_valid"),
                  Scalar<&Out::quiescent>("quiescent", 1)},
      .events = kGroupWarpsEvents,
      .model = [=] { return std::make_unique<GroupWarpScheduler>(GroupWarps(config)); }};
}

std::unique_ptr<WarpScheduler> GroupWarpsModel(const WarpSchedulerConfig& config) {
  return GroupWarpsType(GroupWarpsParameters(config)).model();
}

}  // namespace

const WarpSchedulerDescriptor& GroupWarpsDescriptor() {
  static const WarpSchedulerDescriptor kDescriptor = {
      .name = "group",
      .summary = "greedy; a window ahead, gives way to its TB group's others (RTL)",
      .model = GroupWarpsModel,
      .grouping = TbGrouping::kPolicy,
      .block = {.name = kGroupWarps,
                .summary = "warps of a TB group keep together, by their loads",
                .whole = true,
                .parameters = {{"NumWarps", 48, 2, kMaxWarps},
                               {"GroupWidth", 4, 1, 8},
                               {"CountWidth", 3, 2, 5},
                               {"AgeWidth", 3, 1, 4},
                               {"AgeSlots", 4, 1, 8},
                               {"Patience", 256, 1, 1023}},
                .synth = {{{{"NumWarps", 48}}, 1400}},
                .operation = "grant_valid_o",
                .coverage =
                    "NumWarps=16 GroupWidth=2 CountWidth=2 AgeWidth=2 AgeSlots=2 Patience=16",
                .mutation =
                    {{.name = "group_warp_scheduler",
                      .parameters =
                          "NumWarps=8 GroupWidth=2 CountWidth=2 AgeWidth=2 AgeSlots=2 Patience=12",
                      .seeds = 8,
                      .cycles = 8000}},
                .netlist =
                    "NumWarps=48 GroupWidth=4 CountWidth=3 AgeWidth=3 AgeSlots=4 Patience=256"},
      .type = GroupWarpsType,
      .parameters = GroupWarpsParameters};
  return kDescriptor;
}

}  // namespace flagstone
